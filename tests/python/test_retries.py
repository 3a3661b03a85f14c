"""A client library that sends calls again by itself, over a connection that is cut after the commit."""

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import grpc
import pytest
from boardkeeper.v1.game_service_pb2_grpc import GameServiceStub

from portal import PATIENCE, Portal, move_request

RETRY_POLICY = {
    "methodConfig": [
        {
            "name": [{"service": "boardkeeper.v1.GameService"}],
            "retryPolicy": {
                "maxAttempts": 5,
                "initialBackoff": "0.05s",
                "maxBackoff": "1s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ]
}


class Wire:
    """Carries connections to the server until it is told to lose the replies, and to cut them."""

    def __init__(self, server: tuple[str, int]) -> None:
        self.server = server
        self.losing = False
        self.ends: list[socket.socket] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Cuts all connections; those made from now on lose nothing."""
        ends, self.ends, self.losing = self.ends, [], False
        for end in ends:
            # The other end may have gone already.
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(self.server)
            self.ends += [client, server]
            for source, sink, replies in [(client, server, False), (server, client, True)]:
                threading.Thread(
                    target=self._carry, args=(source, sink, replies), daemon=True
                ).start()

    def _carry(self, source: socket.socket, sink: socket.socket, replies: bool) -> None:
        try:
            while data := source.recv(4096):
                if not (replies and self.losing):
                    sink.sendall(data)
        except OSError:
            pass


@pytest.fixture
def wire() -> Iterator[Wire]:
    host, port = os.environ["BOARDKEEPER_ADDRESS"].rsplit(":", 1)
    wire = Wire((host, int(port)))
    yield wire
    wire.close()


def test_a_retry_policy_plays_a_move_once(portal: Portal, wire: Wire) -> None:
    options = [
        ("grpc.enable_retries", 1),
        ("grpc.service_config", json.dumps(RETRY_POLICY)),
        ("grpc.use_local_subchannel_pool", 1),
    ]
    with grpc.insecure_channel(wire.address, options=options) as channel:
        retrying = GameServiceStub(channel)
        game = portal.create("quantum-control")
        assert Portal(retrying).game(game.id) == game
        wire.losing = True
        call = retrying.SubmitMove.future(move_request(game, text="e5"), timeout=PATIENCE)
        until_version(portal, game.id, 2)
        assert not call.done()
        wire.cut()
        answer = call.result()
    assert (answer.replayed, answer.game.version) == (True, 2)
    assert [event.version for event in portal.history(game.id)] == [1, 2]


def until_version(portal: Portal, game_id: str, version: int) -> None:
    end = time.monotonic() + PATIENCE
    while portal.game(game_id).version < version:
        assert time.monotonic() < end, f"the game did not reach version {version}"
        time.sleep(0.005)
