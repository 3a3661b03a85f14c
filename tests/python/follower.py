"""Follows a game on WatchGame as a spectators' relay does, over streams that break."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import grpc
from boardkeeper.v1.event_pb2 import Event
from boardkeeper.v1.game_pb2 import Cursor, Game
from boardkeeper.v1.game_service_pb2 import WatchGameRequest, WatchGameResponse
from boardkeeper.v1.game_service_pb2_grpc import GameServiceStub

# The longest that one stream may live, in seconds: a stream that hangs fails its test.
STREAM_DEADLINE = 300.0

# How late an event may be, in seconds.
LATE = 5.0


class Follower:
    """What a watcher of one game has seen, joined over its streams.

    Without `snapshot`, it starts from before the creation. Each of `cuts` is a version: once it has
    been seen, the stream is cancelled and a new one resumes from the last event.
    """

    def __init__(self, stub: GameServiceStub, game_id: str, cuts: Sequence[int], snapshot: bool):
        self.snapshot: Game | None = None
        self.events: list[Event] = []
        self._stub = stub
        self._game_id = game_id
        self._cuts = cuts
        self._cursor = None if snapshot else Cursor()
        self._seen = threading.Condition()
        self._stream: grpc.Call | None = None

    def follow(self) -> None:
        """Reads until the game has ended and the last stream with it."""
        for cut in self._cuts:
            self._read_stream(cut)
        self._read_stream(None)

    def wait_for(self, version: int) -> None:
        """Waits until the event of a version has been seen."""
        with self._seen:
            seen = self._seen.wait_for(lambda: version <= self._version(), timeout=LATE)
        assert seen, f"version {version} was not seen within {LATE} seconds"

    def stop(self) -> None:
        """Breaks off: the game will not be played to its end."""
        if self._stream is not None:
            self._stream.cancel()

    def _version(self) -> int:
        return self._cursor.version if self._cursor else 0

    def _read_stream(self, cut: int | None) -> None:
        request = WatchGameRequest(game_id=self._game_id, after=self._cursor)
        stream = self._stub.WatchGame(request, timeout=STREAM_DEADLINE)
        self._stream = stream
        for frame in stream:
            self._take(frame)
            if cut is not None and cut <= self._version():
                stream.cancel()
                return
        assert stream.code() is grpc.StatusCode.OK
        assert self.events and self.events[-1].HasField("outcome"), "ended before the game's end"

    def _take(self, frame: WatchGameResponse) -> None:
        match frame.WhichOneof("frame"):
            case "snapshot":
                assert self._cursor is None, "a snapshot on a stream that was given a cursor"
                self.snapshot = frame.snapshot
                self._move_to(frame.snapshot)
            case "event":
                assert frame.event.version == self._version() + 1, "a gap or a duplicate"
                self.events.append(frame.event)
                self._move_to(frame.event)
            case "heartbeat":
                assert frame.heartbeat.cursor == (self._cursor or Cursor())
            case other:
                raise AssertionError(f"unexpected frame: {other}")

    def _move_to(self, place: Game | Event) -> None:
        with self._seen:
            self._cursor = Cursor(version=place.version, digest=place.digest)
            self._seen.notify_all()


@contextmanager
def following(
    stub: GameServiceStub, game_id: str, cuts: Sequence[int] = (), snapshot: bool = False
) -> Iterator[Follower]:
    """Follows a game on a thread while the block plays it to its end, then waits for the stream's."""
    follower = Follower(stub, game_id, cuts, snapshot)
    with ThreadPoolExecutor(max_workers=1) as thread:
        ended: Future[None] = thread.submit(follower.follow)
        try:
            yield follower
            ended.result(timeout=STREAM_DEADLINE)
        except BaseException:
            follower.stop()
            if ended.done():
                ended.result()  # what broke the follower says more than who waited for it in vain
            raise
