"""Plays every recorded game through the server, move by move, while a spectator follows it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import grpc
from boardkeeper.v1.event_pb2 import Event
from boardkeeper.v1.game_pb2 import GAME_STATUS_FINISHED, GAME_STATUS_RUNNING, Game
from boardkeeper.v1.game_service_pb2 import SubmitMoveRequest, SubmitMoveResponse
from boardkeeper.v1.game_service_pb2_grpc import GameServiceStub
from boardkeeper.v1.game_type_pb2 import Board
from boardkeeper.v1.move_pb2 import Move
from boardkeeper.v1.side_pb2 import SIDE_UNSPECIFIED

import notation
from boards import board_of, check_drawing, redrawn
from follower import Follower, following
from portal import Portal, move_request, refused
from recorded import RecordedGame

# Every so many plies, a move is first tried, a stale version is sent, a request is sent twice.
TRIED, STALE, REPEATED = 9, 11, 7


@dataclass
class Ply:
    """A move as it was played."""

    request: SubmitMoveRequest
    answer: SubmitMoveResponse


def test_recorded_game(portal: Portal, relay: GameServiceStub, recorded_game: RecordedGame) -> None:
    created = portal.create(recorded_game.game_type, recorded_game.settings, recorded_game.start)
    check_created(created, recorded_game)
    length = len(recorded_game.moves)
    # The spectator's stream is cut twice; every other game is joined in the middle of play.
    cuts = [1 + length // 3, 1 + 2 * length // 3]
    with following(relay, created.id, cuts, snapshot=length % 2 == 0) as follower:
        plies = play(portal, created, recorded_game.moves, follower)

    check_end(plies[-1].answer.game, recorded_game)
    events = portal.history(created.id, page_size=37)
    check_history(events, created, plies)
    check_followed(portal, follower, events)
    check_after_the_end(portal, plies)


def play(portal: Portal, created: Game, moves: Sequence[str], follower: Follower) -> list[Ply]:
    """Plays the moves, checking each answer against the legal moves and the board before it."""
    board = board_of(portal, created)
    check_drawing(board, created)
    game, plies = created, []
    for number, text in enumerate(moves):
        if number in (len(moves) // 3, len(moves) - 1):
            follower.wait_for(game.version)
        listed = listed_move(portal.legal_moves(game), text)
        if number % STALE == STALE - 1:
            check_stale(portal, game, text)
        request = request_for(number, game, text)
        tried = try_out(portal, game, request) if number % TRIED == 0 else None
        answer = portal.send(request)
        check_answer(board, game, request, answer)
        check_move(answer.event.move_played.move, game, listed, text)
        if tried:
            assert tried.game.position == answer.game.position
            assert tried.event.move_played == answer.event.move_played
        if number % REPEATED == 0:
            check_repeated(portal, Ply(request, answer))
        plies.append(Ply(request, answer))
        game = answer.game
    return plies


def listed_move(moves: Sequence[Move], text: str) -> Move:
    """The listed move that has this text, or has it as another route."""
    for move in moves:
        if text == move.text or text in move.other_texts:
            return move
    raise AssertionError(f"{text} is not listed among {[move.text for move in moves]}")


def request_for(number: int, game: Game, text: str) -> SubmitMoveRequest:
    """Asks for the move in turn by its text, by its parts, and by a text as a person may type it."""
    match number % 3:
        case 0:
            return move_request(game, text=text)
        case 1:
            return move_request(game, structured=notation.structured(game.game_type, text))
        case _:
            return move_request(game, text=as_typed(game.game_type, text))


def as_typed(game_type: str, text: str) -> str:
    """A text with spaces around it, capital point letters, and two placed stones the other way."""
    if game_type == "quantum-control" and "+" in text:
        text = "+".join(reversed(text.split("+")))
    return f" {re.sub(r'[a-l](?=[0-9])', lambda letter: letter[0].upper(), text)}\n"


def try_out(portal: Portal, game: Game, request: SubmitMoveRequest) -> SubmitMoveResponse:
    """What the move would do; nothing must come of it."""
    trial = SubmitMoveRequest()
    trial.CopyFrom(request)
    trial.validate_only = True
    trial.request_id = ""
    answer = portal.send(trial)
    assert not answer.replayed and not answer.event.digest
    assert portal.game(game.id) == game
    return answer


def check_created(game: Game, recorded_game: RecordedGame) -> None:
    assert (game.version, game.ply, game.status) == (1, 0, GAME_STATUS_RUNNING)
    assert game.position == game.initial_position == recorded_game.start
    assert (game.black_player, game.white_player) == ("Ada", "Grace")
    assert dict(game.labels) == {"client": "python"}


def check_answer(
    board: Board, before: Game, request: SubmitMoveRequest, answer: SubmitMoveResponse
) -> None:
    """The event follows on the state before it, and the state after it says the same."""
    event, after = answer.event, answer.game
    assert not answer.replayed
    assert event.request_id == request.request_id
    assert event.version == after.version == before.version + 1
    assert after.ply == before.ply + 1
    assert event.digest == after.digest != before.digest
    assert after.last_move == event.move_played.move
    for name in ("position", "side_to_move", "phase", "scores", "consecutive_passes", "outcome"):
        assert getattr(event, name) == getattr(after, name), name
    assert redrawn(board, before.cells, event.changes) == list(after.cells)
    check_drawing(board, after)


def check_move(played: Move, before: Game, listed: Move, text: str) -> None:
    """The move is the recorded one, in both forms, and described as it was listed."""
    assert played.text == text
    assert played.structured == notation.structured(before.game_type, text)
    assert played.side == before.side_to_move
    assert played.points == listed.points
    if played.text == listed.text:
        bare = Move()
        bare.CopyFrom(listed)
        bare.ClearField("other_texts")
        assert played == bare


def check_stale(portal: Portal, game: Game, text: str) -> None:
    """A version that is no longer the present one is refused, though the move is legal."""
    request = move_request(game, text=text)
    request.expected_version -= 1
    with refused(grpc.StatusCode.ABORTED, "VERSION_MISMATCH") as refusal:
        portal.send(request)
    assert refusal.metadata["current_version"] == str(game.version)
    assert refusal.metadata["current_digest"] == game.digest.hex()


def check_repeated(portal: Portal, ply: Ply) -> None:
    """The same request again gets the first answer again."""
    again = portal.send(ply.request)
    assert again.replayed
    again.replayed = False
    assert again == ply.answer


def check_end(game: Game, recorded_game: RecordedGame) -> None:
    assert game.position == recorded_game.final
    assert game.outcome.winner == notation.SIDES[recorded_game.ending.winner]
    assert game.outcome.reason == recorded_game.ending.reason
    assert (game.status, game.side_to_move) == (GAME_STATUS_FINISHED, SIDE_UNSPECIFIED)
    assert game.HasField("end_time")


def check_history(events: Sequence[Event], created: Game, plies: Sequence[Ply]) -> None:
    """The history is the creation and what was answered to each move, in order."""
    first = events[0]
    assert first.digest == created.digest
    assert first.created.game_type == created.game_type
    assert first.created.options == created.options
    assert first.created.initial_position == created.initial_position
    assert events[1:] == [ply.answer.event for ply in plies]
    assert [event.version for event in events] == list(range(1, len(plies) + 2))
    assert {len(event.digest) for event in events} == {32}


def check_followed(portal: Portal, follower: Follower, events: Sequence[Event]) -> None:
    """What the spectator joined from three streams is the history."""
    joined_at = 0
    if follower.snapshot:
        joined_at = follower.snapshot.version
        assert follower.snapshot == portal.game(follower.snapshot.id, joined_at)
    assert follower.events == events[joined_at:]


def check_after_the_end(portal: Portal, plies: Sequence[Ply]) -> None:
    """Nothing can follow, and everything that was can still be asked for."""
    middle, last = plies[len(plies) // 2].answer.game, plies[-1].answer.game
    assert portal.legal_moves(last) == []
    with refused(grpc.StatusCode.FAILED_PRECONDITION, "GAME_OVER"):
        portal.submit(last, last.last_move.text)
    assert portal.game(middle.id, middle.version) == middle
    check_repeated(portal, plies[0])
    check_repeated(portal, plies[-1])
