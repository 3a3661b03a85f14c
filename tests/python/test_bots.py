"""A bot's move is legal, within its limits, and made once."""

from boardkeeper.v1.bot_pb2 import Bot, SearchLimits
from boardkeeper.v1.game_pb2 import Game
from boardkeeper.v1.game_service_pb2 import (
    ListBotsRequest,
    RequestBotMoveRequest,
    RequestBotMoveResponse,
    StreamBotMoveRequest,
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


def test_bot_that_thinks_aloud(portal: Portal, game_type: str) -> None:
    game = portal.create(game_type)
    bots = portal.stub.ListBots(ListBotsRequest(), timeout=PATIENCE).bots
    plain = bot_request(game, bots[-1])
    request = StreamBotMoveRequest.FromString(plain.SerializeToString())
    frames = list(portal.stub.StreamBotMove(request, timeout=PATIENCE))
    thoughts = [frame.thought for frame in frames if frame.WhichOneof("frame") == "thought"]
    depths = [thought.depth for thought in thoughts]
    assert depths == sorted(set(depths))
    moved = frames[-1].moved
    assert [frame.WhichOneof("frame") for frame in frames].count("moved") == 1
    assert moved.game == portal.game(game.id)
    assert all(thought.nodes <= moved.event.move_played.bot.nodes for thought in thoughts)
    assert portal.history(game.id)[1:] == [moved.event]

    again = list(portal.stub.StreamBotMove(request, timeout=PATIENCE))
    assert [frame.moved.event for frame in again] == [moved.event] and again[0].moved.replayed
    unstreamed = portal.stub.RequestBotMove(plain, timeout=PATIENCE)
    assert unstreamed.replayed and unstreamed.event == moved.event


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
