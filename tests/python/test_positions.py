"""Starts a game from every recorded position and compares all legal moves."""

import grpc
from boardkeeper.v1.game_pb2 import Game
from boardkeeper.v1.move_pb2 import ACTION_PLACE, Move

import notation
import recorded
from boards import board_of, check_drawing
from portal import Portal, refused
from recorded import Listing


def test_recorded_positions(portal: Portal, game_type: str) -> None:
    for listing in recorded.listings(game_type):
        if listing.over:
            check_over(portal, listing)
        else:
            check_listing(portal, listing)


def test_surakarta_pairs(portal: Portal) -> None:
    for position, pairs in recorded.pairs():
        moves = portal.legal_moves(portal.create("surakarta", start=position))
        assert sorted(notation.without_route(move.text) for move in moves) == pairs, position


def check_listing(portal: Portal, listing: Listing) -> None:
    game = portal.create(listing.game_type, listing.settings, listing.position)
    assert game.position == listing.position
    check_drawing(board_of(portal, game), game)

    moves = portal.legal_moves(game)
    context = f"{listing.position} {listing.note}"
    assert [move.text for move in moves] == listing.moves, context
    others = {move.text: list(move.other_texts) for move in moves if move.other_texts}
    assert others == listing.other_routes, context
    for move in moves:
        check_move(game, move)
    check_selected(portal, game, moves)


def check_move(game: Game, move: Move) -> None:
    assert move.structured == notation.structured(game.game_type, move.text)
    assert move.action == notation.action(game.game_type, move.text)
    assert move.side == game.side_to_move
    assert bool(move.captures) == ("x" in move.text)


def check_selected(portal: Portal, game: Game, moves: list[Move]) -> None:
    """With one point and then two selected, those moves are listed that go on from them."""
    points = list(moves[len(moves) // 2].points)
    for count in range(1, len(points) + 1):
        selected = points[:count]
        expected = [move for move in moves if goes_on(move, selected)]
        assert portal.legal_moves(game, selected) == expected, f"{game.position} {selected}"


def goes_on(move: Move, selected: list[str]) -> bool:
    if move.action == ACTION_PLACE:
        return set(selected) <= set(move.points)
    return list(move.points[: len(selected)]) == selected


def check_over(portal: Portal, listing: Listing) -> None:
    """A position in which the game is over starts none."""
    with refused(grpc.StatusCode.INVALID_ARGUMENT, "INVALID_POSITION") as refusal:
        portal.create(listing.game_type, listing.settings, listing.position)
    assert refusal.fields == ["initial_position"], listing.note
