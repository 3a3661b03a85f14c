"""A portal's side of the service: its calls, its request ids, and how it reads refusals."""

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import grpc
import pytest
from boardkeeper.v1.event_pb2 import Event
from boardkeeper.v1.game_pb2 import Cursor, Game
from boardkeeper.v1.game_service_pb2 import (
    CreateGameRequest,
    GetGameRequest,
    ListGameEventsRequest,
    ListGameTypesRequest,
    ListLegalMovesRequest,
    SubmitMoveRequest,
    SubmitMoveResponse,
)
from boardkeeper.v1.game_service_pb2_grpc import GameServiceStub
from boardkeeper.v1.game_type_pb2 import GameType
from boardkeeper.v1.move_pb2 import Move, StructuredMove
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from grpc_status import rpc_status

import notation
from recorded import Settings

# No single call may take longer, in seconds.
PATIENCE = 30.0


def request_id() -> str:
    """A new request id."""
    return str(uuid.uuid4())


@dataclass(frozen=True)
class Portal:
    """The calls that most tests need, over one channel. `stub` has them all."""

    stub: GameServiceStub

    def game_types(self) -> list[GameType]:
        return list(self.stub.ListGameTypes(ListGameTypesRequest(), timeout=PATIENCE).game_types)

    def create(self, game_type: str, settings: Settings | None = None, start: str = "") -> Game:
        """A new game, from the usual start if none is given."""
        request = CreateGameRequest(
            request_id=request_id(),
            game_type=game_type,
            options=notation.options(game_type, settings or {}),
            initial_position=start,
            black_player="Ada",
            white_player="Grace",
            labels={"client": "python"},
        )
        answer = self.stub.CreateGame(request, timeout=PATIENCE)
        assert not answer.replayed
        return answer.game

    def game(self, game_id: str, version: int = 0) -> Game:
        """A game at a version; 0 is now."""
        request = GetGameRequest(game_id=game_id, version=version)
        return self.stub.GetGame(request, timeout=PATIENCE).game

    def legal_moves(self, game: Game, selected: Iterable[str] = ()) -> list[Move]:
        """The legal moves at the game's version."""
        request = ListLegalMovesRequest(
            game_id=game.id, version=game.version, selected=list(selected)
        )
        answer = self.stub.ListLegalMoves(request, timeout=PATIENCE)
        assert answer.version == game.version
        assert answer.side_to_move == game.side_to_move
        return list(answer.moves)

    def submit(self, game: Game, text: str) -> Game:
        """Plays a move at the game's version; the game after it."""
        return self.send(move_request(game, text=text)).game

    def send(self, request: SubmitMoveRequest) -> SubmitMoveResponse:
        return self.stub.SubmitMove(request, timeout=PATIENCE)

    def history(self, game_id: str, after: Cursor | None = None, page_size: int = 0) -> list[Event]:
        """All events after a place, page by page."""
        events: list[Event] = []
        request = ListGameEventsRequest(game_id=game_id, after=after, page_size=page_size)
        while True:
            page = self.stub.ListGameEvents(request, timeout=PATIENCE)
            assert not page_size or len(page.events) <= page_size
            events.extend(page.events)
            if not page.next_page_token:
                return events
            request.page_token = page.next_page_token


def move_request(
    game: Game, text: str | None = None, structured: StructuredMove | None = None
) -> SubmitMoveRequest:
    """A new request to play a move, given in one of its two forms, at the game's version."""
    return SubmitMoveRequest(
        game_id=game.id,
        expected_version=game.version,
        request_id=request_id(),
        text=text,
        structured=structured,
    )


@dataclass
class Refusal:
    """What the details of a refused call say."""

    reason: str = ""
    sentence: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    fields: list[str] = field(default_factory=list)


@contextmanager
def refused(code: grpc.StatusCode, reason: str) -> Iterator[Refusal]:
    """Expects the call inside to be refused, with this code and reason; its details are filled in."""
    refusal = Refusal()
    with pytest.raises(grpc.RpcError) as caught:
        yield refusal
    assert caught.value.code() is code, caught.value
    _read(caught.value, refusal)
    assert refusal.reason == reason, caught.value


def _read(error: grpc.RpcError, refusal: Refusal) -> None:
    status = rpc_status.from_call(error)
    assert status is not None, f"no google.rpc.Status with {error}"
    refusal.sentence = status.message
    info, request = ErrorInfo(), BadRequest()
    for detail in status.details:
        if detail.Unpack(info):
            assert info.domain == "boardkeeper"
            refusal.reason = info.reason
            refusal.metadata = dict(info.metadata)
        elif detail.Unpack(request):
            refusal.fields = [violation.field for violation in request.field_violations]
