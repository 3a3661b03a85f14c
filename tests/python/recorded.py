"""The recorded positions and games in tests/data, one class for each kind of line."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent.parent / "data"

# The ranks and squares in a rank tell a board of Quantum where a line names none.
QUANTUM_BOARDS = {(6, 10): "inner", (8, 10): "whole", (8, 12): "wide"}

# Options by name, as the data has them: switches, numbers and words.
Settings = dict[str, Any]


@dataclass(frozen=True)
class Ending:
    """How a game ended: the winner `b`, `w` or nobody, and the reason."""

    winner: str | None
    reason: str


@dataclass(frozen=True)
class Listing:
    """A position and its legal moves, in the order in which they must be listed."""

    game_type: str
    position: str
    settings: Settings
    moves: list[str]
    other_routes: dict[str, list[str]] = field(default_factory=dict)
    over: Ending | None = None
    note: str = ""


@dataclass(frozen=True)
class RecordedGame:
    """A whole game."""

    game_type: str
    start: str
    settings: Settings
    moves: list[str]
    final: str
    ending: Ending


def game_types() -> list[str]:
    """The types that there are recorded games of, in the order of their names."""
    return sorted(path.stem.removeprefix("games-") for path in DATA.glob("games-*.jsonl"))


def listings(game_type: str) -> list[Listing]:
    """All positions of a type: from games, and the edge cases with their notes."""
    lines = [*_lines("moves", game_type), *_lines("edges", game_type)]
    return [_listing(game_type, line) for line in lines]


def games(game_type: str) -> list[RecordedGame]:
    """All games of a type."""
    return [_game(game_type, line) for line in _lines("games", game_type)]


def one_game_for_each_ending(game_type: str) -> list[RecordedGame]:
    """The shortest game of each reason to end."""
    shortest: dict[str, RecordedGame] = {}
    for game in sorted(games(game_type), key=lambda game: len(game.moves)):
        shortest.setdefault(game.ending.reason, game)
    return list(shortest.values())


def pairs() -> Iterator[tuple[str, list[str]]]:
    """Positions of Surakarta, each with its moves as pairs of points without routes."""
    for line in _lines("pairs", "surakarta"):
        yield line["position"], line["pairs"]


def position_pieces(position: str) -> list[str]:
    """What stands on each point of a position text, in the text's order; empty and gap: ``""``."""
    pieces: list[str] = []
    for row in position.split(" ")[0].split("/"):
        for token in row.split(",") if _has_commas(position) else row:
            if token.isdigit():
                pieces.extend([""] * int(token))
            else:
                pieces.append("" if token in ".-" else token)
    return pieces


def _has_commas(position: str) -> bool:
    return "," in position


def _lines(kind: str, game_type: str) -> list[dict[str, Any]]:
    text = (DATA / f"{kind}-{game_type}.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines, f"{kind}-{game_type}.jsonl is empty"
    return lines


def _listing(game_type: str, line: dict[str, Any]) -> Listing:
    return Listing(
        game_type=game_type,
        position=line["position"],
        settings=_settings(game_type, line["position"], line),
        moves=line["moves"],
        other_routes=line.get("other_routes", {}),
        over=Ending(**line["over"]) if "over" in line else None,
        note=line.get("note", ""),
    )


def _game(game_type: str, line: dict[str, Any]) -> RecordedGame:
    return RecordedGame(
        game_type=game_type,
        start=line["start"],
        settings=_settings(game_type, line["start"], line),
        moves=line["moves"],
        final=line["final"],
        ending=Ending(line["winner"], line["reason"]),
    )


def _settings(game_type: str, position: str, line: dict[str, Any]) -> Settings:
    settings: Settings = line.get("options", {})
    if game_type == "quantum" and "board" not in settings:
        ranks = position.split(" ")[0].split("/")
        size = (len(ranks), len(position_pieces(position)) // len(ranks))
        return {**settings, "board": QUANTUM_BOARDS[size]}
    return settings
