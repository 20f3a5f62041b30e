"""The kept pictures still show what their truth says, by OpenCV's tag detector; the renderer still agrees with them."""

import tomllib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.layout import load
from tests.vision.synthetic.kept import KEPT, PICTURES, Kept, taken
from tests.vision.synthetic.test_table import tags_seen

LAYOUT = load("patolli")


def truth_of(kept: Kept) -> dict[str, Any]:
    return tomllib.loads(Path(PICTURES / f"{kept.name}.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.name)
def test_a_kept_picture_shows_its_sheet_where_its_truth_says(kept: Kept) -> None:
    image = cv2.imread(str(PICTURES / f"{kept.name}.jpg"))
    assert image is not None
    truth, seen = truth_of(kept), tags_seen(np.asarray(image, np.uint8))
    assert len(seen) >= (4 if kept.hand else 8)
    # The lens bends the sheet by some pixels at most; a plane through the tags is right to about that.
    mm = np.concatenate([tag.corners_mm for tag in LAYOUT.tags if tag.id in seen])
    px = np.concatenate([seen[tag.id] for tag in LAYOUT.tags if tag.id in seen])
    plane, _ = cv2.findHomography(np.asarray(mm, np.float32), np.asarray(px, np.float32))
    w, h = LAYOUT.size_mm
    sheet = np.array(((0, 0, 1), (w, 0, 1), (w, h, 1), (0, h, 1))) @ plane.T
    assert sheet[:, :2] / sheet[:, 2:] == pytest.approx(np.array(truth["corners_px"]), abs=6)


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.name)
def test_the_truth_beside_a_picture_is_what_was_ordered(kept: Kept) -> None:
    truth = truth_of(kept)
    faces = [bean["face"] for bean in truth["beans"]]
    assert truth["pieces"] == kept.pieces
    assert truth["hand"] == kept.hand
    assert (len(faces), faces.count("marked"), faces.count("edge")) == (5, kept.marks, int(kept.cocked))
    assert truth["marks"] == (-1 if kept.cocked else kept.marks)


def test_the_renderer_still_renders_the_first_kept_picture() -> None:
    """Not pixel by pixel, for noise and JPEG differ: where things are and how bright."""
    kept = cv2.imread(str(PICTURES / f"{KEPT[0].name}.jpg"))
    image, truth = taken(KEPT[0])
    assert kept is not None
    small = [cv2.resize(v, (160, 90), interpolation=cv2.INTER_AREA).astype(float) for v in (kept, image)]
    assert np.abs(small[0] - small[1]).mean() < 2.5
    assert np.array(truth.corners_px) == pytest.approx(np.array(truth_of(KEPT[0])["corners_px"]), abs=0.06)
