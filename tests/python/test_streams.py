"""Streams of finished games, cursors that do not fit, and many games on one stream."""

from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from boardkeeper.v1.event_pb2 import Event
from boardkeeper.v1.game_pb2 import Cursor, Game
from boardkeeper.v1.game_service_pb2 import (
    WatchedGame,
    WatchGameRequest,
    WatchGamesRequest,
    WatchGamesResponse,
)
from boardkeeper.v1.game_service_pb2_grpc import GameServiceStub

import recorded
from portal import PATIENCE, Portal, refused


@pytest.fixture(scope="module")
def finished(portal: Portal) -> Game:
    """A game that was played to its end."""
    shortest = min(recorded.games("quantum-control"), key=lambda game: len(game.moves))
    game = portal.create(shortest.game_type, start=shortest.start)
    for text in shortest.moves:
        game = portal.submit(game, text)
    return game


def test_finished_game_is_told_from_any_place(
    portal: Portal, relay: GameServiceStub, finished: Game
) -> None:
    events = portal.history(finished.id)
    for start in (0, 1, len(events) // 2, len(events)):
        digest = events[start - 1].digest if start else b""
        request = WatchGameRequest(game_id=finished.id, after=Cursor(version=start, digest=digest))
        frames = list(relay.WatchGame(request, timeout=PATIENCE))
        assert [frame.event for frame in frames] == events[start:]


def test_finished_game_without_cursor_is_a_snapshot(relay: GameServiceStub, finished: Game) -> None:
    request = WatchGameRequest(game_id=finished.id)
    frames = list(relay.WatchGame(request, timeout=PATIENCE))
    assert [frame.snapshot for frame in frames] == [finished]


@pytest.mark.parametrize("version, digest", [(3, bytes(32)), (10_000, b"")])
def test_cursor_of_another_history(
    relay: GameServiceStub, finished: Game, version: int, digest: bytes
) -> None:
    request = WatchGameRequest(game_id=finished.id, after=Cursor(version=version, digest=digest))
    with refused(grpc.StatusCode.DATA_LOSS, "HISTORY_DIVERGED"):
        list(relay.WatchGame(request, timeout=PATIENCE))


def test_many_games_on_one_stream(portal: Portal, relay: GameServiceStub) -> None:
    games = sorted(recorded.games("quantum-control"), key=lambda game: len(game.moves))[:4]
    created = [portal.create(game.game_type, start=game.start) for game in games]
    request = WatchGamesRequest(
        games=[WatchedGame(game_id=game.id, after=Cursor()) for game in created]
    )
    stream = relay.WatchGames(request, timeout=PATIENCE)
    with ThreadPoolExecutor(max_workers=1) as thread:
        joined = thread.submit(join, stream)
        play_in_turns(portal, created, [iter(game.moves) for game in games])
        told = joined.result(timeout=PATIENCE)
    assert told == {game.id: portal.history(game.id) for game in created}


def join(stream: Iterator[WatchGamesResponse]) -> dict[str, list[Event]]:
    """The events of each game, in the order in which they came."""
    told: dict[str, list[Event]] = defaultdict(list)
    for frame in stream:
        if frame.HasField("event"):
            told[frame.game_id].append(frame.event)
    return told


def play_in_turns(portal: Portal, games: list[Game], moves: list[Iterator[str]]) -> None:
    """Plays a move in each game, again and again, until all have ended."""
    going_on = list(zip(games, moves))
    while going_on:
        going_on = [
            (portal.submit(game, text), rest)
            for game, rest in going_on
            if (text := next(rest, None))
        ]
