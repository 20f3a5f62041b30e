"""The kept pictures: rendered once, stored beside their truth, so that later changes of the renderer cannot move them.

``python -m tests.vision.synthetic.kept`` renders them anew: only when the printed board itself has changed.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from calibration.layout import load
from referee.board import Cell, Seat
from vision.camera import Image
from vision.synthetic.arm import BRISK
from vision.synthetic.conditions import Conditions
from vision.synthetic.scene import BEANS
from vision.synthetic.table import SimulatedTable, Truth

PICTURES = Path(__file__).parents[2] / "pictures"


@dataclass(frozen=True)
class Kept:
    """One picture to keep."""

    name: str
    seed: int
    pieces: dict[Cell, int]
    marks: int
    cocked: bool = False
    touching: bool = False
    hand: bool = False
    changes: dict[str, object] | None = None
    """What is set in the conditions, the rest being drawn."""


KEPT = (
    Kept("table_lamp", 11, {"1": 1, "5": 1, "13": 3, "22": 3, "30": 1, "45": 3, "52": 1}, 3),
    Kept("table_shadow", 15, {str(n): n % 4 + 1 for n in range(2, 53, 5)}, 2),
    Kept("table_oblique", 20, {"6": 1, "12": 4, "19": 2, "27": 3, "39": 4, "46": 2}, 5, changes={"tilt_deg": 30.0}),
    Kept("table_dark", 21, {"9": 1, "14": 2, "26": 3, "40": 4}, 0, changes={"gain": 0.5, "noise": 4.0}),
    Kept("table_hand", 18, {"3": 1, "17": 2, "33": 3, "44": 4}, 4, hand=True),
    Kept("table_cocked", 13, {"8": 1, "21": 3, "34": 3}, 3, cocked=True, changes={"k1": -0.1}),
    Kept("table_touching", 22, {"4": 1, "36": 3}, 1, touching=True, changes={"gain": 1.8}),
)


def taken(kept: Kept) -> tuple[Image, Truth]:
    """Set the table, throw, and take the picture."""
    conditions = replace(Conditions.drawn(np.random.default_rng(kept.seed)), **(kept.changes or {}))  # type: ignore[arg-type]
    table = SimulatedTable(load("patolli"), seed=kept.seed, conditions=conditions, tempo=BRISK)
    table.lay_out({cell: (Seat(owner),) for cell, owner in kept.pieces.items()})
    table.throw(kept.marks, cocked=kept.cocked, touching=kept.touching)
    if kept.hand:
        table.lay_hand(Seat(2), (120.0, 260.0))
    while table.busy:
        table.blink()
    return table.frame().image, table.truth()


def written(kept: Kept, truth: Truth) -> str:
    """The truth as TOML."""
    corners = ", ".join(f"[{x:.1f}, {y:.1f}]" for x, y in truth.corners_px)
    lines = [
        f"# The simulated table, seed {kept.seed}: rendered once by tests/vision/synthetic/kept.py, checked by eye.",
        'layout = "patolli"',
        f"corners_px = [{corners}]  # of the sheet, clockwise from its top left",
        f"hand = {str(truth.hand).lower()}",
        f"marks = {'-1  # no throw: a bean is cocked' if truth.marks is None else truth.marks}",
        "",
        "[pieces]  # cell = seat",
        *(f'"{cell}" = {stack[0]}' for cell, stack in sorted(truth.occupancy.items(), key=lambda item: int(item[0]))),
    ]
    for bean in truth.lying:
        x, y = bean.centre_px
        lines += ["", "[[beans]]", f"centre_px = [{x:.1f}, {y:.1f}]", f'face = "{bean.face}"']
        lines.append(f"angle_deg = {bean.angle_deg:.0f}  # of the long axis on the sheet, clockwise from its x axis")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Render all kept pictures anew."""
    PICTURES.mkdir(exist_ok=True)
    for kept in KEPT:
        image, truth = taken(kept)
        assert len(truth.lying) == BEANS
        cv2.imwrite(str(PICTURES / f"{kept.name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 90])
        (PICTURES / f"{kept.name}.toml").write_text(written(kept, truth), encoding="utf-8")


if __name__ == "__main__":
    main()
