"""Games leave the server as records and come back the same."""

import pytest
from boardkeeper.v1.game_pb2 import Game
from boardkeeper.v1.game_service_pb2 import (
    RECORD_FORMAT_JSON,
    RECORD_FORMAT_TEXT,
    ExportGameRequest,
    ImportGameRequest,
    RecordFormat,
)

import recorded
from portal import PATIENCE, Portal, request_id
from recorded import RecordedGame


@pytest.mark.parametrize("form", [RECORD_FORMAT_JSON, RECORD_FORMAT_TEXT], ids=["json", "text"])
def test_export_and_import(portal: Portal, game_type: str, form: RecordFormat) -> None:
    for game in recorded.one_game_for_each_ending(game_type):
        played = play(portal, game)
        request = ExportGameRequest(game_id=played.id, format=form)
        exported = portal.stub.ExportGame(request, timeout=PATIENCE)
        assert exported.version == played.version
        check_imported(portal, exported.record, played)


def play(portal: Portal, recorded_game: RecordedGame) -> Game:
    game = portal.create(recorded_game.game_type, recorded_game.settings, recorded_game.start)
    for text in recorded_game.moves:
        game = portal.submit(game, text)
    return game


def check_imported(portal: Portal, record: str, played: Game) -> None:
    """The record makes another game of the same moves, and only one however often it is sent."""
    request = ImportGameRequest(request_id=request_id(), record=record)
    first = portal.stub.ImportGame(request, timeout=PATIENCE)
    again = portal.stub.ImportGame(request, timeout=PATIENCE)
    assert (first.replayed, again.replayed) == (False, True)
    assert again.game == first.game
    for name in ("game_type", "options", "black_player", "initial_position", "position", "outcome"):
        assert getattr(first.game, name) == getattr(played, name), name
    assert move_texts(portal, first.game) == move_texts(portal, played)


def move_texts(portal: Portal, game: Game) -> list[str]:
    events = portal.history(game.id, page_size=1000)
    return [event.move_played.move.text for event in events if event.HasField("move_played")]
