"""Draws boards from what the server says of them, knowing no rule."""

from collections.abc import Iterable
from functools import cache

from boardkeeper.v1.event_pb2 import PointChange
from boardkeeper.v1.game_pb2 import Cell, Game
from boardkeeper.v1.game_type_pb2 import Board

from portal import Portal
from recorded import position_pieces


@cache
def _boards(portal: Portal) -> dict[str, list[Board]]:
    return {game_type.name: list(game_type.boards) for game_type in portal.game_types()}


def board_of(portal: Portal, game: Game) -> Board:
    """The board that a game is played on."""
    boards = _boards(portal)[game.game_type]
    fitting = [
        board for board in boards if board.options.quantum.board == game.options.quantum.board
    ]
    assert len(fitting) == 1, f"{len(fitting)} boards fit {game.options}"
    return fitting[0]


def check_drawing(board: Board, game: Game) -> None:
    """The cells show what the position text says, in the order of the board's points."""
    names = [point.name for point in board.points]
    pieces = position_pieces(game.position)
    assert len(names) == len(pieces)
    told = [(name, standing) for name, standing in zip(names, pieces) if standing]
    assert [(cell.point, cell.pieces) for cell in game.cells] == told


def redrawn(board: Board, cells: Iterable[Cell], changes: Iterable[PointChange]) -> list[Cell]:
    """The cells after an event, from those before it and the event's changes."""
    standing = {cell.point: cell for cell in cells}
    for change in changes:
        if change.HasField("now"):
            standing[change.point] = change.now
        else:
            del standing[change.point]
    return [standing[point.name] for point in board.points if point.name in standing]
