"""What the server says of each type of game fits how it plays it."""

import recorded
from boardkeeper.v1.game_type_pb2 import REGION_KIND_GAPS, Board, GameType
from portal import Portal


def test_all_recorded_types_are_offered(portal: Portal) -> None:
    assert [offered.name for offered in portal.game_types()] == recorded.game_types()


def test_game_type(portal: Portal, game_type: str) -> None:
    types = {offered.name: offered for offered in portal.game_types()}
    offered = types[game_type]
    assert offered.title and offered.rules_markdown
    assert offered.rules_version.startswith(f"{game_type}/")
    check_reasons(offered)
    check_options(portal, offered)
    for board in offered.boards:
        check_board(board)
        check_start(portal, offered, board)


def check_reasons(offered: GameType) -> None:
    seen = {game.ending.reason for game in recorded.games(offered.name)}
    assert seen <= set(offered.end_reasons)
    codes = [rule.code for rule in offered.rule_codes]
    assert codes and len(codes) == len(set(codes))


def check_options(portal: Portal, offered: GameType) -> None:
    """A game for which no option was set has the defaults of all."""
    filled = portal.create(offered.name).options
    told = getattr(filled, offered.name.replace("-", "_"))
    assert {spec.name for spec in offered.options} == set(told.DESCRIPTOR.fields_by_name)
    for spec in offered.options:
        value = getattr(told, spec.name)
        if spec.WhichOneof("values") == "word":
            names = told.DESCRIPTOR.fields_by_name[spec.name].enum_type.values_by_number
            assert names[value].name.lower().endswith(f"_{spec.word.default_value}")
        else:
            assert value == getattr(spec, spec.WhichOneof("values")).default_value


def check_board(board: Board) -> None:
    """Points are told once, neighbours are mutual, and all that is named are points."""
    points = {point.name: point for point in board.points}
    assert len(points) == len(board.points)
    assert len({(point.x, point.y) for point in board.points}) == len(points)
    for point in board.points:
        assert list(point.neighbours) == sorted(point.neighbours)
        assert all(point.name in points[neighbour].neighbours for neighbour in point.neighbours)
    for region in board.regions:
        assert region.name and set(region.points) <= set(points)
        if region.kind == REGION_KIND_GAPS:
            assert not any(points[name].playable for name in region.points)
    for circuit in board.circuits:
        assert {step.point for step in circuit.steps} <= set(points)


def check_start(portal: Portal, offered: GameType, board: Board) -> None:
    """The board's position text is the usual start of its options, and readable."""
    settings: recorded.Settings = {}
    if offered.name == "quantum":
        ranks = board.start_position.split("/")
        settings = {"board": recorded.QUANTUM_BOARDS[len(ranks), len(board.points) // len(ranks)]}
    game = portal.create(offered.name, settings)
    assert game.position == board.start_position
    assert game.side_to_move == offered.first_side
    again = portal.create(offered.name, settings, board.start_position)
    assert again.cells == game.cells
