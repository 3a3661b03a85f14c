"""The README's example in Python does what the README says."""

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).resolve().parent.parent.parent / "README.md"


def test_example() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    usual, ours = "127.0.0.1:50051", os.environ["BOARDKEEPER_ADDRESS"]
    assert usual in example
    printed = subprocess.run(
        [sys.executable, "-c", example.replace(usual, ours)],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout.splitlines()
    start, answer, *told = printed
    assert start.endswith(" w p 0 -")
    assert answer.split()[1].isdigit(), "the nodes that the bot searched"
    assert [line.split()[0] for line in told] == ["1", "2", "3", "4"]
    assert told[1] == f"2 {start}"
