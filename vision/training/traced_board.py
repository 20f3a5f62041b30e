"""A printed board with pieces on it, as a path tracer sees it: for measuring only, no net learns from it.

Of the simulated table (:mod:`vision.synthetic`), which the reader was built beside, it shares the print and the pieces'
colours, but neither light, shadows, solids, camera nor hands. Mitsuba 3 traces it, as in :mod:`vision.training.traced`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import mitsuba as mi
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibration.drawing import Rgb
from calibration.layout import Layout
from calibration.sheets import top_view
from referee.board import Cell, Seat
from vision.camera import Image
from vision.synthetic.surface import linear
from vision.training.board_camera import HEIGHT, WIDTH, aimed
from vision.training.board_solids import draught, pebble, tube, turned
from vision.training.solids import Floats
from vision.training.surfaces import surface
from vision.training.traced import fill, lamp, room, trace

SAMPLES = 6
PRINT_PX_PER_MM = 4.0
ARMS, SHADED = 0.2, 0.3
"""How often an arm reaches over the board, and something tall beside it throws its shadow."""
SKINS: tuple[Rgb, ...] = ((224, 172, 140), (141, 85, 36), (198, 134, 66), (255, 219, 190))


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """One picture of a board."""

    image: Image
    hidden: frozenset[Cell]
    """Cells whose middle is out of sight, behind an arm or a cup."""
    arm: bool


def render_board(
    rng: Generator,
    layout: Layout,
    standing: Mapping[Cell, Sequence[Seat]],
    colours: Mapping[Seat, Rgb],
    *,
    sticks: bool,
) -> BoardView:
    """A random view of the board.

    Args:
        rng: draws camera, light, table, paper and how the pieces stand.
        layout: the board.
        standing: whose pieces stand in each cell, the lowest first.
        colours: sRGB of each seat's pieces, which come out a little different.
        sticks: whether they are played with upright sticks; else with draughts, pebbles or coins.
    """
    mi.set_variant("llvm_ad_rgb")
    camera, eye = _camera(rng, layout)
    scene: dict[str, Any] = {
        "type": "scene",
        "integrator": {
            "type": "aov",
            "aovs": "albedo:albedo,normal:sh_normal",
            "colour": {"type": "path", "max_depth": 4},
        },
        "sensor": camera,
        "room": {"type": "envmap", "bitmap": room(rng)},
        **_ground(rng, layout),
    }
    warm = rng.uniform(-0.2, 0.4)
    tone = np.asarray([1 + warm, 1, 1 - warm])
    for number, level in enumerate(rng.uniform(0.2, 2.5, 2) * [1, rng.choice([0, 1])]):
        scene[f"lamp{number}"] = lamp(rng, level * tone, far_mm=(700, 2000), half_mm=(10, 300))
    scene |= _pieces(rng, layout, standing, colours, sticks)
    over = {"cup": _cup(rng, layout)} if rng.random() < SHADED else {}
    arm = bool(rng.random() < ARMS)
    if arm:
        over |= _arm(rng, layout)
    traced = trace(mi.load_dict(scene | over), int(rng.integers(1 << 30)))
    return BoardView(_photograph(rng, traced), _hidden(over, layout, eye), arm)


def _camera(rng: Generator, layout: Layout) -> tuple[dict[str, Any], NDArray[np.float64]]:
    """A camera that has the whole sheet in sight, and where it is."""
    eye, target, up, fov_deg = aimed(rng, layout.size_mm)
    film = {"type": "hdrfilm", "width": WIDTH, "height": HEIGHT, "pixel_format": "rgb", "rfilter": {"type": "box"}}
    camera = {
        "type": "perspective",
        "fov": fov_deg,
        "to_world": mi.ScalarTransform4f().look_at(eye.tolist(), target.tolist(), up.tolist()),
        "film": film,
        "sampler": {"type": "independent", "sample_count": SAMPLES},
    }
    return camera, eye


def _ground(rng: Generator, layout: Layout) -> dict[str, Any]:
    """The sheet as it is printed, upon a table."""
    printed = linear(top_view(layout, PRINT_PX_PER_MM))[..., ::-1]
    width, height = layout.size_mm
    move = mi.ScalarTransform4f()

    def flat(picture: Floats, place: Any, rough: tuple[float, float], specular: tuple[float, float]) -> dict[str, Any]:
        # Mitsuba's pictures begin at the bottom.
        bitmap = mi.Bitmap(np.ascontiguousarray(picture[::-1], np.float32))
        paint = {
            "type": "principled",
            "base_color": {"type": "bitmap", "bitmap": bitmap, "raw": True},
            "roughness": float(rng.uniform(*rough)),
            "specular": float(rng.uniform(*specular)),
        }
        return {"type": "rectangle", "to_world": place, "bsdf": paint}

    return {
        "table": flat(surface(rng, 512), move.translate([0, 0, -1]) @ move.scale(900), (0.25, 1), (0, 0.6)),
        "sheet": flat(printed, move.scale([width / 2, height / 2, 1]), (0.25, 1), (0.05, 0.5)),
    }


def _pieces(
    rng: Generator, layout: Layout, standing: Mapping[Cell, Sequence[Seat]], colours: Mapping[Seat, Rgb], sticks: bool
) -> dict[str, Any]:
    kind = "stick" if sticks else str(rng.choice(["draught", "pebble", "coin"], p=[0.5, 0.35, 0.15]))
    radius_mm = rng.uniform(4, 6) if sticks else rng.uniform(8.6, 10.4)
    low, high = {"stick": (9, 18), "draught": (3, 8), "pebble": (4, 9), "coin": (1.6, 2.6)}[kind]
    height_mm, rough = rng.uniform(low, high), rng.uniform(0.1, 0.7)
    tints = {seat: linear(rgb) * np.exp(rng.normal(0, 0.12, 3)) for seat, rgb in colours.items()}
    pieces = {}
    for cell, stack in standing.items():
        edge_mm = min(np.ptp(np.asarray(layout.cell(cell).outline_mm), axis=0))
        aside = np.clip(rng.normal(0, 0.12, 2), -0.33, 0.33) * edge_mm
        for level, seat in enumerate(stack):
            if kind == "pebble":
                corners, faces = pebble(rng, radius_mm, height_mm)
            else:
                corners, faces = draught(radius_mm, height_mm)
            foot = _at(layout, cell) + np.asarray([*aside, level * height_mm])
            colour = np.clip(tints[seat] * np.exp(rng.normal(0, 0.05)), 0, 0.95)
            stands = turned(corners, rng.uniform(0, 2 * np.pi)) + foot
            pieces[f"piece_{cell}_{level}"] = _mesh(stands, faces, colour, rough, 0.5)
    return pieces


def _cup(rng: Generator, layout: Layout) -> Any:
    """Something tall beside the sheet, whose shadow may fall upon it."""
    around, (width, height) = rng.uniform(0, 2 * np.pi), layout.size_mm
    way = np.asarray([np.cos(around), np.sin(around), 0])
    edge = min(width / 2 / max(abs(way[0]), 1e-6), height / 2 / max(abs(way[1]), 1e-6))
    corners, faces = draught(rng.uniform(25, 45), rng.uniform(60, 220))
    return _mesh(corners + way * (edge + rng.uniform(55, 140)), faces, rng.uniform(0.02, 0.8, 3), 0.4, 0.5)


def _arm(rng: Generator, layout: Layout) -> dict[str, Any]:
    """A sleeve, a hand and four fingers that reach in from any side."""
    around, (width, height) = rng.uniform(0, 2 * np.pi), layout.size_mm
    way, across = np.asarray([np.cos(around), np.sin(around), 0]), np.asarray([-np.sin(around), np.cos(around), 0])
    tip = rng.uniform(-1, 1, 3) * [width / 3, height / 3, 22] + [0, 0, 48]
    shoulder = way * 700 + [0, 0, 150]
    skin = linear(SKINS[int(rng.integers(len(SKINS)))])

    def limb(shares: NDArray[np.floating], radii: Sequence[float]) -> tuple[Floats, NDArray[np.int64]]:
        return tube(tip + shares[:, None] * shoulder, radii)

    limbs = {
        "sleeve": _mesh(
            *limb(np.linspace(0.14, 1, 12), [33, *np.linspace(38, 46, 11)]), rng.uniform(0.02, 0.7, 3), 0.9
        ),
        "hand": _mesh(*limb(np.linspace(0.02, 0.16, 6), [20, 34, 40, 40, 34, 26]), skin, 0.5),
    }
    for number, aside in enumerate((-18, -6, 6, 18)):
        knuckle = tip + way * 20 + across * aside
        end = tip - way * rng.uniform(35, 60) + across * aside * 1.3 - [0, 0, 18]
        bent = np.stack([knuckle, (knuckle + end) / 2 + [0, 0, 8], end])
        limbs[f"finger{number}"] = _mesh(*tube(bent, [9, 8.5, 7]), skin, 0.5)
    return limbs


def _at(layout: Layout, cell: Cell) -> NDArray[np.float64]:
    """The middle of a cell in the traced world."""
    (x, y), (width, height) = layout.cell(cell).centre_mm, layout.size_mm
    return np.asarray([x - width / 2, height / 2 - y, 0.0])


def _hidden(over: Mapping[str, Any], layout: Layout, eye: NDArray[np.float64]) -> frozenset[Cell]:
    """Cells whose middle something hides that is no piece."""
    if not over:
        return frozenset()
    scene, hidden = mi.load_dict({"type": "scene", **over}), []
    for place in layout.cells:
        spot = _at(layout, place.name)
        towards = (eye - spot) / np.linalg.norm(eye - spot)
        ray = mi.Ray3f(mi.Point3f(*spot.tolist()), mi.Vector3f(*towards.tolist()))
        if np.ravel(np.array(scene.ray_test(ray)))[0]:
            hidden.append(place.name)
    return frozenset(hidden)


def _mesh(
    corners: NDArray[Any], faces: NDArray[np.int64], colour: NDArray[Any], rough: float, specular: float = 0.3
) -> Any:
    paint = {
        "type": "principled",
        "base_color": {"type": "rgb", "value": np.asarray(colour, float).tolist()},
        "roughness": float(rough),
        "specular": specular,
    }
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict({"type": "twosided", "paint": paint})
    mesh = mi.Mesh("thing", len(corners), len(faces), has_vertex_normals=True, props=properties)
    fill(mesh, np.asarray(corners, np.float32), faces)
    return mesh


def _photograph(rng: Generator, linear: Floats) -> Image:
    """What a webcam makes of it: exposure, white balance, a little distortion, blur, noise, JPEG."""
    middle, bright = (float(level) for level in np.percentile(linear[::3, ::3], [60, 99]))
    exposure = 0.5 / max(1e-3, middle, 0.6 * bright) * np.exp(rng.normal(-0.05, 0.3))
    picture = linear * (exposure * np.exp(rng.normal(0, 0.1, 3))).astype(np.float32)
    lens = np.asarray([[WIDTH, 0, WIDTH / 2], [0, WIDTH, HEIGHT / 2], [0, 0, 1]], np.float64)
    bent = np.asarray([rng.uniform(-0.08, 0.08), 0, 0, 0])
    x, y = np.meshgrid(np.arange(WIDTH, dtype=np.float32), np.arange(HEIGHT, dtype=np.float32))
    straight = cv2.undistortPoints(np.stack([x, y], axis=-1).reshape(-1, 1, 2), lens, bent, P=lens)
    x, y = np.ascontiguousarray(straight.reshape(HEIGHT, WIDTH, 2).transpose(2, 0, 1), np.float32)
    picture = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    encoded = cv2.GaussianBlur(np.clip(picture, 0, 1) ** np.float32(1 / 2.2), (0, 0), rng.uniform(0.35, 1.0))
    encoded = encoded + rng.uniform(0.002, 0.02) * rng.standard_normal(encoded.shape)
    image = np.clip(encoded[..., ::-1] * 255 + 0.5, 0, 255).astype(np.uint8)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 97))]
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", image, quality)[1], cv2.IMREAD_COLOR), np.uint8)
