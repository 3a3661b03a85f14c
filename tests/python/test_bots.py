"""A bot's move is legal, within its limits, and made once."""

from boardkeeper.v1.bot_pb2 import Bot, SearchLimits
from boardkeeper.v1.game_pb2 import Game
from boardkeeper.v1.game_service_pb2 import (
    ListBotsRequest,
    RequestBotMoveRequest,
    RequestBotMoveResponse,
)

from portal import PATIENCE, Portal, request_id

# Enough for a sensible move, little enough for a slow machine.
FEW_NODES = 2_000


def test_bot_move(portal: Portal, game_type: str) -> None:
    bots = portal.stub.ListBots(ListBotsRequest(), timeout=PATIENCE).bots
    assert [bot.level for bot in bots] == [1, 2, 3, 4, 5]
    for bot in bots:
        game = portal.create(game_type)
        check_bot(portal, game, bot)


def check_bot(portal: Portal, game: Game, bot: Bot) -> None:
    request = bot_request(game, bot)
    legal = [move.text for move in portal.legal_moves(game)]
    answer: RequestBotMoveResponse = portal.stub.RequestBotMove(request, timeout=PATIENCE)
    played = answer.event.move_played
    assert played.move.text in legal
    assert played.bot.level == bot.level
    assert played.bot.seed == request.seed
    assert played.bot.nodes <= request.limits.nodes
    assert played.bot.main_line[0] == played.move.text
    assert answer.game.version == game.version + 1

    again = portal.stub.RequestBotMove(request, timeout=PATIENCE)
    assert again.replayed and again.event == answer.event


def bot_request(game: Game, bot: Bot) -> RequestBotMoveRequest:
    nodes = min(FEW_NODES, bot.limits.nodes)
    return RequestBotMoveRequest(
        game_id=game.id,
        expected_version=game.version,
        request_id=request_id(),
        level=bot.level,
        seed=7,
        limits=SearchLimits(nodes=nodes),
    )
