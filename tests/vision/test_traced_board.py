"""Path-traced pictures of boards: where the camera stands, what lies there; the tracer itself where it is installed."""

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.inks import SEATS
from calibration.layout import load
from referee.board import Seat
from vision.glance import Glance, Glancer
from vision.reader import BELIEVED
from vision.training.board_camera import DISTANCE_MM, HEIGHT, TILT_DEG, WIDTH, aimed
from vision.training.board_solids import draught, pebble, tube
from vision.training.meshes import normals_at
from vision.training.solids import Floats

LAYOUT = load("patolli")
STANDING = {"4": (Seat(1),), "17": (Seat(2),), "30": (Seat(3),)}


@pytest.mark.parametrize("seed", range(40))
def test_the_whole_sheet_is_in_the_picture_and_fills_it(seed: int) -> None:
    eye, target, up, fov_deg = aimed(np.random.default_rng(seed), LAYOUT.size_mm)
    assert DISTANCE_MM[0] <= np.linalg.norm(eye) <= DISTANCE_MM[1]
    assert TILT_DEG[0] <= np.degrees(np.arccos(eye[2] / np.linalg.norm(eye))) <= TILT_DEG[1]
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(forward, up)
    right /= np.linalg.norm(right)
    (w, h), focal_px = np.array(LAYOUT.size_mm) / 2, WIDTH / 2 / np.tan(np.radians(fov_deg / 2))
    corners = np.asarray([(x * w, y * h, 0.0) for x in (-1, 1) for y in (-1, 1)]) - eye
    seen = np.stack([corners @ right, corners @ np.cross(right, forward)], 1) * focal_px / (corners @ forward)[:, None]
    shares = np.abs(seen) / (WIDTH / 2, HEIGHT / 2)
    assert 0.85 < shares.max() < 1


def _tube() -> tuple[Floats, NDArray[np.int64]]:
    return tube(np.asarray([(0.0, 0, 40), (30, 10, 50), (70, 20, 80)]), (10, 14, 12))


@pytest.mark.parametrize(
    ("made", "size_mm"),
    [
        pytest.param(lambda: draught(10.0, 5.0), (20, 20, 5), id="draught"),
        pytest.param(lambda: pebble(np.random.default_rng(3), 10.0, 6.0), (None, 20, 6), id="pebble"),
        pytest.param(_tube, (None, None, None), id="limb"),
    ],
)
def test_solids_are_closed_and_look_outwards(made: object, size_mm: tuple[float | None, ...]) -> None:
    assert callable(made)
    corners, faces = made()
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    # The ends of what was turned are many corners in one place.
    _, place = np.unique(np.round(corners, 3), axis=0, return_inverse=True)
    ends = np.sort(place[edges], axis=1)
    apart = ends[ends[:, 0] != ends[:, 1]]
    _, times = np.unique(apart, axis=0, return_counts=True)
    assert (times % 2 == 0).all()
    a, b, c = (corners[faces[:, k]].astype(float) for k in range(3))
    volume = float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)
    assert volume > 0, "its faces look outwards"
    outwards = np.einsum("ij,ij->i", normals_at(corners, faces), corners - corners.mean(0))
    assert (outwards > 0).mean() > 0.8
    for size, wanted in zip(np.ptp(corners, axis=0), size_mm, strict=True):
        assert wanted is None or size == pytest.approx(wanted, rel=0.15)


@pytest.mark.parametrize(("arms", "cups"), [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
def test_a_traced_board_is_found_where_its_pieces_stand(
    arms: float, cups: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("mitsuba", reason="Mitsuba is installed for training only")
    from vision.training import traced_board

    monkeypatch.setattr(traced_board, "ARMS", arms)
    monkeypatch.setattr(traced_board, "SHADED", cups)
    hidden = 0
    for seed in range(4):
        view = traced_board.render_board(np.random.default_rng(seed), LAYOUT, STANDING, SEATS, sticks=False)
        hidden += len(view.hidden)
        assert view.arm == bool(arms)
        glance = Glancer(LAYOUT, SEATS).look(view.image)
        assert isinstance(glance, Glance)
        cells = {cell: values for cell, values in glance.seen.cells.items() if cell not in view.hidden}
        standing = {
            cell: (seat,) for cell, chances in cells.items() for seat, by in chances.items() if seat and by > BELIEVED
        }
        assert standing == {cell: seats for cell, seats in STANDING.items() if cell in cells}
    assert bool(hidden) == bool(arms)
