"""Refused calls say why, in a form that a program can act on, and leave no trace."""

import grpc
import pytest
from boardkeeper.v1.event_pb2 import END_REASON_TIME
from boardkeeper.v1.game_pb2 import Game
from boardkeeper.v1.game_service_pb2 import (
    CreateGameRequest,
    EndGameRequest,
    GetGameRequest,
    PassRequest,
    ResignRequest,
)
from boardkeeper.v1.options_pb2 import GameOptions, QuantumOptions
from boardkeeper.v1.side_pb2 import SIDE_BLACK, SIDE_WHITE

from portal import PATIENCE, Portal, move_request, refused, request_id

INVALID = grpc.StatusCode.INVALID_ARGUMENT
NOT_NOW = grpc.StatusCode.FAILED_PRECONDITION

GAME_TYPE = "quantum-control"


@pytest.fixture
def game(portal: Portal) -> Game:
    return portal.create(GAME_TYPE)


def test_unreadable_request_id(portal: Portal, game: Game) -> None:
    request = move_request(game, text="e5")
    request.request_id = "not a uuid"
    with refused(INVALID, "MALFORMED_REQUEST") as refusal:
        portal.send(request)
    assert refusal.fields == ["request_id"]


def test_unreadable_move(portal: Portal, game: Game) -> None:
    with refused(INVALID, "MALFORMED_MOVE") as refusal:
        portal.submit(game, "e5 to e6")
    assert refusal.fields == ["move"]
    assert portal.game(game.id) == game


def test_unreadable_position(portal: Portal) -> None:
    with refused(INVALID, "INVALID_POSITION") as refusal:
        portal.create(GAME_TYPE, start="here be dragons")
    assert refusal.fields == ["initial_position"]


def test_unknown_type(portal: Portal) -> None:
    request = CreateGameRequest(request_id=request_id(), game_type="go")
    with refused(INVALID, "UNKNOWN_GAME_TYPE"):
        portal.stub.CreateGame(request, timeout=PATIENCE)


def test_options_of_another_type(portal: Portal) -> None:
    request = CreateGameRequest(
        request_id=request_id(),
        game_type=GAME_TYPE,
        options=GameOptions(quantum=QuantumOptions(move_limit=7)),
    )
    with refused(INVALID, "INVALID_OPTION"):
        portal.stub.CreateGame(request, timeout=PATIENCE)


def test_unknown_game(portal: Portal, game: Game) -> None:
    request = move_request(game, text="e5")
    request.game_id = "nowhere"
    with refused(grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND"):
        portal.send(request)


def test_unknown_version(portal: Portal, game: Game) -> None:
    request = GetGameRequest(game_id=game.id, version=2)
    with refused(grpc.StatusCode.OUT_OF_RANGE, "VERSION_NOT_FOUND"):
        portal.stub.GetGame(request, timeout=PATIENCE)


def test_game_id_that_is_taken(portal: Portal, game: Game) -> None:
    request = CreateGameRequest(
        request_id=request_id(), game_type=GAME_TYPE, game_id=game.id, black_player="Somebody else"
    )
    with refused(grpc.StatusCode.ALREADY_EXISTS, "GAME_EXISTS"):
        portal.stub.CreateGame(request, timeout=PATIENCE)


def test_request_id_with_other_content(portal: Portal, game: Game) -> None:
    request = move_request(game, text="e5")
    after = portal.send(request).game
    request.text = "e6"
    with refused(INVALID, "REQUEST_ID_REUSED"):
        portal.send(request)
    assert portal.game(game.id) == after


def test_illegal_move_names_the_rule(portal: Portal, game: Game) -> None:
    with refused(NOT_NOW, "ILLEGAL_MOVE") as refusal:
        portal.submit(game, "a1+e5")
    rules = {
        rule.code: rule.values
        for game_type in portal.game_types()
        if game_type.name == GAME_TYPE
        for rule in game_type.rule_codes
    }
    rule = refusal.metadata["rule"]
    assert refusal.sentence
    assert set(rules[rule]) <= set(refusal.metadata)
    assert portal.game(game.id) == game


def test_out_of_turn(portal: Portal, game: Game) -> None:
    request = move_request(game, text="e5")
    request.side = SIDE_WHITE
    with refused(NOT_NOW, "NOT_YOUR_TURN"):
        portal.send(request)


def test_pass_in_placement(portal: Portal, game: Game) -> None:
    request = PassRequest(game_id=game.id, expected_version=game.version, request_id=request_id())
    with refused(NOT_NOW, "PASS_NOT_ALLOWED"):
        portal.stub.Pass(request, timeout=PATIENCE)


def test_resigned_game_is_over(portal: Portal, game: Game) -> None:
    resign = ResignRequest(
        game_id=game.id,
        expected_version=game.version,
        request_id=request_id(),
        side=SIDE_WHITE,
    )
    resigned = portal.stub.Resign(resign, timeout=PATIENCE)
    assert (resigned.game.outcome.winner, resigned.game.outcome.reason) == (
        SIDE_BLACK,
        "resignation",
    )
    end = EndGameRequest(
        game_id=game.id,
        expected_version=resigned.game.version,
        request_id=request_id(),
        reason=END_REASON_TIME,
    )
    with refused(NOT_NOW, "GAME_OVER"):
        portal.stub.EndGame(end, timeout=PATIENCE)
    again = portal.stub.Resign(resign, timeout=PATIENCE)
    assert again.replayed and again.event == resigned.event
