"""Options and moves of each game in the protocol's own form, made from names and texts.

Written from the rules alone, so that it checks what the server sends.
"""

from collections.abc import Callable
from typing import Any

from boardkeeper.v1.move_pb2 import (
    ACTION_CAPTURE,
    ACTION_CASTLE,
    ACTION_MERGE,
    ACTION_PASS,
    ACTION_PLACE,
    ACTION_STEP,
    CASTLING_LONG,
    CASTLING_SHORT,
    Action,
    KvantumsakkMove,
    KvantumsakkTransfer,
    PassMove,
    Placement,
    PointPair,
    QuantumControlMove,
    QuantumMove,
    StructuredMove,
    SurakartaCapture,
    SurakartaMove,
)
from boardkeeper.v1.options_pb2 import (
    GameOptions,
    KvantumsakkOptions,
    QuantumBoard,
    QuantumControlOptions,
    QuantumOptions,
    SurakartaOptions,
)
from boardkeeper.v1.side_pb2 import SIDE_BLACK, SIDE_UNSPECIFIED, SIDE_WHITE

from recorded import Settings

SIDES = {"b": SIDE_BLACK, "w": SIDE_WHITE, None: SIDE_UNSPECIFIED}


def options(game_type: str, settings: Settings) -> GameOptions:
    """Options that say what `settings` say and leave the rest to the defaults."""
    match game_type:
        case "quantum-control":
            return GameOptions(quantum_control=QuantumControlOptions(**settings))
        case "surakarta":
            return GameOptions(surakarta=SurakartaOptions(**settings))
        case "quantum":
            named = dict(settings)
            if "board" in named:
                named["board"] = QuantumBoard.Value(f"QUANTUM_BOARD_{named['board']}".upper())
            return GameOptions(quantum=QuantumOptions(**named))
        case "kvantumsakk":
            return GameOptions(kvantumsakk=KvantumsakkOptions(**settings))
    raise ValueError(f"no options are known for {game_type}")


def structured(game_type: str, text: str) -> StructuredMove:
    """The parts of a canonical move text."""
    return _READERS[game_type](text)


def action(game_type: str, text: str) -> Action:
    """What a move does, as its text tells."""
    if text == "pass":
        return ACTION_PASS
    if text.startswith("O-O"):
        return ACTION_CASTLE
    if "x" in text:
        return ACTION_CAPTURE
    if game_type == "quantum-control":
        return ACTION_PLACE
    return ACTION_MERGE if "+" in text else ACTION_STEP


def without_route(text: str) -> str:
    """A capture of Surakarta as its pair of points; any other text as it is."""
    return text.partition("[")[0]


def _quantum_control(text: str) -> StructuredMove:
    if text == "pass":
        move = QuantumControlMove(**{"pass": PassMove()})
    elif "x" in text:
        move = QuantumControlMove(capture=_pair(text, "x"))
    else:
        move = QuantumControlMove(placement=Placement(points=text.split("+")))
    return StructuredMove(quantum_control=move)


def _surakarta(text: str) -> StructuredMove:
    if "x" not in text:
        return StructuredMove(surakarta=SurakartaMove(step=_pair(text, "-")))
    pair, _, route = text.partition("[")
    origin, _, goal = pair.partition("x")
    arcs = route.removesuffix("]").split(",") if route else []
    capture = SurakartaCapture(**_ends(origin, goal), arcs=arcs)
    return StructuredMove(surakarta=SurakartaMove(capture=capture))


def _quantum(text: str) -> StructuredMove:
    if "x" in text:
        return StructuredMove(quantum=QuantumMove(capture=_pair(text, "x")))
    return StructuredMove(quantum=QuantumMove(step=_pair(text, "-")))


def _kvantumsakk(text: str) -> StructuredMove:
    if text in ("O-O", "O-O-O"):
        castling = CASTLING_SHORT if text == "O-O" else CASTLING_LONG
        return StructuredMove(kvantumsakk=KvantumsakkMove(castling=castling))
    quanta, _, squares = text.partition(":")
    transfer = KvantumsakkTransfer(quanta=int(quanta), **_ends(squares[:2], squares[3:]))
    return StructuredMove(kvantumsakk=KvantumsakkMove(transfer=transfer))


def _pair(text: str, sign: str) -> PointPair:
    origin, _, goal = text.partition(sign)
    return PointPair(**_ends(origin, goal))


def _ends(origin: str, goal: str) -> dict[str, Any]:
    """The fields of both points: `from` is a keyword of Python, so it can't be written as one."""
    return {"from": origin, "to": goal}


_READERS: dict[str, Callable[[str], StructuredMove]] = {
    "quantum-control": _quantum_control,
    "surakarta": _surakarta,
    "quantum": _quantum,
    "kvantumsakk": _kvantumsakk,
}
