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
        timeout=20,
    ).stdout.splitlines()
    assert printed[0] == "49 legal moves, the first of them a1"
    assert [line.split()[0] for line in printed[1:]] == ["1", "2", "3"]
    assert printed[2].split()[1] == "e5"
