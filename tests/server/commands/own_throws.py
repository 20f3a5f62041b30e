"""Confirmed throws of somebody's own beans and dice, drawn into a folder, and what is said of them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.drawn_throws import drawn

MARKED, PLAIN = 160, 60
"""Shades of this set of beans."""
DICE = (20, 60, 95, 160, 200, 240)
"""Shades of this set of dice."""
EXPECTED_DICE = (10, 50, 90, 160, 200, 240)
Out = pytest.CaptureFixture[str]


def beans_folder(folder: Path, throws: int, marks: Callable[[int], int] | None = None) -> Path:
    """Pictures of five beans each, and what people say they are: the truth, or something else."""
    rng = np.random.default_rng(8)
    lines = ["file,marked"]
    for number in range(throws):
        shown = int(rng.integers(0, 6))
        shades = rng.permutation([MARKED] * shown + [PLAIN] * (5 - shown)) + rng.integers(-6, 7, 5)
        lines.append(f"{number}.png,{marks(shown) if marks else shown}")
        write(folder, number, drawn("beans", [float(shade) for shade in shades]))
    (folder / "throws.csv").write_text("\n".join(lines) + "\n")
    return folder


def dice_folder(folder: Path, throws: int) -> Path:
    """Pictures of two dice each."""
    rng = np.random.default_rng(8)
    lines = ["file;dice;remark"]
    for number in range(throws):
        values = [int(value) for value in rng.integers(1, 7, 2)]
        lines.append(f"{number}.png;{values[0]} {values[1]};in a spreadsheet")
        write(folder, number, drawn("dice", [DICE[value - 1] for value in values]))
    (folder / "throws.csv").write_text("\n".join(lines) + "\n", encoding="utf-8-sig")
    return folder


def write(folder: Path, number: int, image: np.ndarray[Any, Any]) -> None:
    """One picture."""
    folder.mkdir(exist_ok=True)
    assert cv2.imwrite(str(folder / f"{number}.png"), image)


def told(out: Out) -> dict[str, Any]:
    """The one JSON line."""
    line: dict[str, Any] = json.loads(out.readouterr().out)
    return line
