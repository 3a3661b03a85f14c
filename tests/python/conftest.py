"""What the tests are given: a portal's channel, a spectator's channel, and the recorded data.

The server's address comes in BOARDKEEPER_ADDRESS; tests/run sets it.
"""

import os
from collections.abc import Iterator
from functools import cache

import grpc
import pytest
from boardkeeper.v1.game_service_pb2_grpc import GameServiceStub

import recorded
from portal import Portal

# A second channel to the same address would share the first one's connection without this.
OWN_CONNECTION = [("grpc.use_local_subchannel_pool", 1)]


def _channel() -> grpc.Channel:
    address = os.environ.get("BOARDKEEPER_ADDRESS")
    if not address:
        raise pytest.UsageError("BOARDKEEPER_ADDRESS is not set: run these tests with tests/run")
    return grpc.insecure_channel(address, options=OWN_CONNECTION)


@pytest.fixture(scope="session")
def channel() -> Iterator[grpc.Channel]:
    with _channel() as channel:
        yield channel


@pytest.fixture(scope="session")
def portal(channel: grpc.Channel) -> Portal:
    return Portal(GameServiceStub(channel))


@pytest.fixture(scope="session")
def relay() -> Iterator[GameServiceStub]:
    """The service over a connection of its own, for those who only watch."""
    with _channel() as channel:
        yield GameServiceStub(channel)


@cache
def _offered() -> list[str]:
    with _channel() as channel:
        try:
            game_types = Portal(GameServiceStub(channel)).game_types()
        except grpc.RpcError as error:
            raise pytest.UsageError(f"the server does not answer: {error.details()}") from error
    return [game_type.name for game_type in game_types]


def pytest_sessionstart() -> None:
    """Says at once, in one sentence, that there is no server."""
    _offered()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Asks the server which games it plays, and runs a test for each of them or of their records."""
    if "game_type" in metafunc.fixturenames:
        metafunc.parametrize("game_type", _offered())
    if "recorded_game" in metafunc.fixturenames:
        games = {name: recorded.games(name) for name in _offered()}
        cases = [(game, f"{name}-{n}") for name in games for n, game in enumerate(games[name], 1)]
        metafunc.parametrize(
            "recorded_game", [game for game, _ in cases], ids=[name for _, name in cases]
        )
