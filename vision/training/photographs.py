"""Labelled pictures that others took or rendered, found beside the project as ``../shared/data``; never copied into it.

Which of them may be trained on is decided here and nowhere else.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.throws import MARGIN
from vision.training.scenes import VISIBLE_ENOUGH, Scene, Thing

Split = Literal["train", "calibrate", "held out"]
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
HELD_OUT = frozenset({"paper", "cloth", "tai", "rune_tray"})
"""Two whole surfaces and two whole sources. ``tai`` is GPL-3.0: for measuring only."""
MISLABELLED = frozenset({"byler_20191209_100002.jpg"})
"""Left out: one of its dice shows three and is labelled two."""


@dataclass(frozen=True, slots=True)
class Photograph:
    """One labelled picture."""

    path: Path
    group: str
    """The surface (rendered throws) or the source (real photographs)."""
    split: Split
    kind: Literal["beans", "dice", "empty", "mixed"]
    beans: tuple[str, ...]
    """Each "marked", "plain" or "askew"."""
    dice: tuple[int, ...]
    clean: bool
    """Nothing cocked or stacked."""
    px_per_cm: float | None
    area_px: NDArray[np.float32] | None
    """The throwing place, shape (4, 2), where one is known."""
    things: tuple[Thing, ...]

    @property
    def real(self) -> bool:
        """A photograph of real dice, not a rendered throw."""
        return self.px_per_cm is None

    def scene(self) -> Scene:
        """The picture with the truth of its objects."""
        image = cv2.imread(str(self.path), cv2.IMREAD_COLOR)
        if image is None:
            raise FileNotFoundError(self.path)
        return Scene(np.asarray(image, np.uint8), self.things)

    def place(self) -> Scene:
        """The throwing place as the reader cuts it out, the whole picture where none is known."""
        scene = self.scene()
        if self.area_px is None:
            return scene
        height, width = scene.image.shape[:2]
        margin = MARGIN * float(np.ptp(self.area_px, axis=0).max())
        x0, y0 = np.maximum(self.area_px.min(0) - margin, 0).astype(int)
        x1, y1 = np.minimum(self.area_px.max(0) + margin + 1, (width, height)).astype(int)
        things = (replace(t, centre_px=(t.centre_px[0] - x0, t.centre_px[1] - y0)) for t in scene.things)
        return Scene(np.ascontiguousarray(scene.image[y0:y1, x0:x1]), tuple(things))


def photographs(shared: Path = SHARED) -> tuple[Photograph, ...]:
    """Every labelled throw and every die photograph; empty when the folder is missing."""
    found: list[Photograph] = []
    for number, label in enumerate(_lines(shared / "throws" / "labels.jsonl")):
        found.append(_throw(shared / "throws", label, _split(label["surface"], number)))
    for number, label in enumerate(_lines(shared / "dice" / "labels.jsonl")):
        if Path(label["file"]).name in MISLABELLED:
            continue
        found.append(_dice(shared / "dice", label, _split(label["source"], number)))
    return tuple(found)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():
        yield from map(json.loads, path.read_text().splitlines())


def _split(group: str, number: int) -> Split:
    if group in HELD_OUT:
        return "held out"
    return "calibrate" if number % 4 == 3 else "train"


def _throw(folder: Path, label: dict[str, Any], split: Split) -> Photograph:
    things = [_bean(bean) for bean in label["beans"]]
    faces = [thing.label for thing in things]
    for die in label["dice"]:
        outline = np.asarray(die["outline_px"], np.float32)
        x0, y0, x1, y1 = die["box_px"]
        face = "askew" if die["cocked"] else str(die["value"])
        things.append(Thing("die", face, ((x0 + x1) / 2, (y0 + y1) / 2), float(np.sqrt(cv2.contourArea(outline)))))
    for other in label["distractors"]:
        if other["kind"] in ("pebble", "coin"):
            x, y = _project(label["camera"], other["xy"])
            if 0 < x < label["width"] and 0 < y < label["height"]:
                things.append(Thing("other", "other", (x, y), 1.7 * label["px_per_cm"]))
    kind = label["kind"]
    return Photograph(
        path=folder / label["file"],
        group=label["surface"],
        split=split,
        kind="beans" if kind.startswith("beans") else "dice" if kind.startswith("dice") else kind,
        beans=tuple(faces),
        dice=tuple(sorted(die["value"] for die in label["dice"])),
        clean=label["clean"],
        px_per_cm=label["px_per_cm"],
        area_px=np.asarray(label["area_px"], np.float32),
        things=tuple(things),
    )


def _bean(bean: dict[str, Any]) -> Thing:
    outline = np.asarray(bean["outline_px"], np.float32)
    face = {"up": "marked", "down": "plain", "cocked": "askew"}[bean["state"]]
    if bean["stacked"] or bean["visible_frac"] < VISIBLE_ENOUGH:
        face = "askew"
    (x0, y0), (x1, y1) = outline.min(0), outline.max(0)
    centre, size_px = (float(x0 + x1) / 2, float(y0 + y1) / 2), float(np.sqrt(cv2.contourArea(outline)))
    corners = tuple((float(x), float(y)) for x, y in outline) if bean["visible_frac"] > 0.99 else ()
    return Thing("bean", face, centre, size_px, outline_px=corners)


def _project(camera: dict[str, Any], xy_cm: list[float]) -> tuple[float, float]:
    seen = np.asarray(camera["R"]) @ np.asarray([*xy_cm, 0.5]) + np.asarray(camera["t"])
    px = np.asarray(camera["K"]) @ seen
    return float(px[0] / px[2]), float(px[1] / px[2])


def _dice(folder: Path, label: dict[str, Any], split: Split) -> Photograph:
    things = []
    # A hand-drawn box is upright, the die in it is turned: on average 1.2 times the root of its area.
    loose = {"die": 1.2, "face": 1.1, "none": 1.3}[label["box_kind"]]
    for die in label["dice"]:
        x0, y0, x1, y1 = die["box"] if die.get("box") else (0, 0, label["width"], label["height"])
        size = float(np.sqrt((x1 - x0) * (y1 - y0))) / loose
        things.append(Thing("die", str(die["face"]), ((x0 + x1) / 2, (y0 + y1) / 2), size))
    return Photograph(
        path=folder / label["file"],
        group=label["source"],
        split=split,
        kind="dice",
        beans=(),
        dice=tuple(sorted(label["faces"])),
        clean=True,
        px_per_cm=None,
        area_px=None,
        things=tuple(things),
    )
