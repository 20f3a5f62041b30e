"""Throws as a path tracer sees them: true shadows, reflections and colours thrown from one thing on another.

The same solids, paints and grounds as in :mod:`vision.training.scenes`, in Mitsuba 3 (Jakob et al., 2022), which is
needed for training only; its ``llvm`` variant wants LLVM 17. Open Image Denoise (Áfra, 2025) takes out the noise.
"""

from typing import Any

import drjit as dr
import mitsuba as mi
import numpy as np
import pyoidn
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.camera_faults import photograph
from vision.training.lies import THROWN_PX_PER_MM
from vision.training.meshes import normals_at, silhouette_px
from vision.training.scenes import SCENE_PX, VISIBLE_ENOUGH, Scene, Thing
from vision.training.solid_table import WALL, Solid, laid_out
from vision.training.solids import Floats, noise
from vision.training.surfaces import surface

SAMPLES = 4
"""Paths a pixel: what noise they leave is taken out again, so that the camera's is the only one."""


def render(rng: Generator, thrown: bool = False) -> Scene:
    """One random scene of SCENE_PX by SCENE_PX pixels; ``thrown``: one throw as it lies on a table."""
    mi.set_variant("llvm_ad_rgb")
    px_per_mm = float(np.exp(rng.uniform(*np.log(THROWN_PX_PER_MM if thrown else (1.0, 3.5)))))
    reach_mm = SCENE_PX / px_per_mm / 2
    camera, eye = _camera(rng, reach_mm)
    solids = laid_out(rng, reach_mm, eye, thrown)
    linear, owner = _trace(rng, solids, camera, reach_mm)
    return Scene(photograph(rng, linear), tuple(_things(solids, owner, camera)))


def _camera(rng: Generator, reach_mm: float) -> tuple[dict[str, Any], Floats]:
    """A camera that looks at the middle, tilted by up to 50 degrees, and its direction; its distance keeps the view."""
    tilt, azimuth, half_angle = abs(rng.normal(0, 0.4)) % 0.87, rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.5)
    away = np.asarray([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    origin = away * reach_mm / np.tan(half_angle)
    up = [np.cos(k := rng.uniform(0, 6.3)), np.sin(k), 0.02] if tilt < 0.1 else [-away[0], -away[1], 0.5]
    look = mi.ScalarTransform4f().look_at(origin.tolist(), [0, 0, 0], up)
    camera = {"type": "perspective", "fov": float(np.degrees(2 * half_angle)), "to_world": look}
    return camera, np.asarray(away, np.float32)


def _sensor(camera: dict[str, Any]) -> dict[str, Any]:
    # The denoiser wants pixels whose noise is their own.
    sharp = {"type": "box"}
    film = {"type": "hdrfilm", "width": SCENE_PX, "height": SCENE_PX, "pixel_format": "rgb", "rfilter": sharp}
    return {**camera, "film": film, "sampler": {"type": "independent", "sample_count": SAMPLES}}


def _trace(
    rng: Generator, solids: list[Solid], camera: dict[str, Any], reach_mm: float
) -> tuple[Floats, NDArray[np.int64]]:
    """Linear red, green, blue, shape (SCENE_PX, SCENE_PX, 3), and which thing shows in each pixel."""
    ground = mi.Bitmap(np.ascontiguousarray(surface(rng, 512), np.float32))
    paths = {"type": "path", "max_depth": 3}
    scene: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "aov", "aovs": "albedo:albedo,normal:sh_normal", "colour": paths},
        "sensor": _sensor(camera),
        "ground": {
            "type": "rectangle",
            "to_world": mi.ScalarTransform4f().scale(2.2 * reach_mm),
            "bsdf": {
                "type": "principled",
                "base_color": {"type": "bitmap", "bitmap": ground, "raw": True},
                "roughness": float(rng.uniform(0.25, 1)),
                "specular": float(rng.uniform(0, 0.6)),
            },
        },
        "room": {"type": "envmap", "bitmap": room(rng)},
    }
    colour = np.asarray([1 + (warm := rng.uniform(-0.2, 0.4)), 1, 1 - warm])
    bright = rng.uniform(0, 1.6, 2) * [1, rng.choice([0, 1], p=[0.6, 0.4])]
    for number, level in enumerate(bright):
        scene[f"lamp{number}"] = lamp(rng, level * colour, far_mm=(400, 1500), half_mm=(12, 220))
    if solids:
        scene["things"] = _mesh(solids)
    loaded = mi.load_dict(scene)
    values = mi.traverse(loaded)
    for name in values.keys():  # noqa: SIM118
        dr.make_opaque(values[name])
    values.update()
    return trace(loaded, int(rng.integers(1 << 30))), _owners(loaded, solids)


def trace(loaded: Any, seed: int) -> Floats:
    """Linear red, green and blue of a scene whose integrator also tells albedo and normals, by which noise goes."""
    layers = np.asarray(np.array(mi.render(loaded, seed=seed)), np.float32)
    picture, albedo, normals = (layers[..., first : first + 3] for first in (0, 3, 6))
    clear = pyoidn.denoise(picture, albedo=albedo, normal=normals, hdr=True, quality="balanced")
    return np.asarray(clear, np.float32)


def fill(mesh: Any, corners: Floats, faces: NDArray[np.int64]) -> None:
    """Give a mesh of Mitsuba its corners, with normals, and its faces."""
    values = mi.traverse(mesh)
    values["vertex_positions"] = corners.ravel()
    values["vertex_normals"] = normals_at(corners, faces).ravel()
    values["faces"] = faces.astype(np.uint32).ravel()
    values.update()


def lamp(
    rng: Generator, colour: NDArray[np.float64], *, far_mm: tuple[float, float], half_mm: tuple[float, float]
) -> dict[str, Any]:
    """A lit rectangle somewhere above the middle, as bright there however far and large it is."""
    height, around = rng.uniform(0.35, 1.5), rng.uniform(0, 6.3)
    way = np.asarray([np.cos(height) * np.cos(around), np.cos(height) * np.sin(around), np.sin(height)])
    far, half = rng.uniform(*far_mm), float(np.exp(rng.uniform(*np.log(half_mm))))
    shape = mi.ScalarTransform4f().scale([half, half * rng.uniform(0.4, 1), 1])
    place = mi.ScalarTransform4f().look_at((way * far).tolist(), [0, 0, 0], [0.1, 0.2, 1])
    radiance = np.maximum(colour * np.pi * far**2 / (4 * half**2), 1e-3)
    emitter = {"type": "area", "radiance": {"type": "rgb", "value": radiance.tolist()}}
    return {"type": "rectangle", "to_world": place @ shape, "emitter": emitter}


def room(rng: Generator) -> Any:
    """What is around: walls, ceiling, a window, dark and bright, as the gloss of beans shows it."""
    sky = 0.1 + np.abs(noise(rng, (16, 32), rng.uniform(2, 9)))[..., None] * rng.uniform(0.3, 1, 3)
    if rng.random() < 0.5:
        row, column = int(rng.integers(1, 7)), int(rng.integers(0, 28))
        sky[row : row + int(rng.integers(1, 4)), column : column + int(rng.integers(1, 5))] = rng.uniform(2, 25)
    sky *= rng.uniform(0.15, 0.9) / sky.mean()
    return mi.Bitmap(np.ascontiguousarray(sky, np.float32))


def _mesh(solids: list[Solid]) -> Any:
    """All things as one mesh, so that Mitsuba need not compile again for another number of them."""
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict(
        {
            "type": "principled",
            "base_color": {"type": "mesh_attribute", "name": "vertex_color"},
            "roughness": {"type": "mesh_attribute", "name": "vertex_rough"},
            "specular": 0.5,
        }
    )
    corners = np.concatenate([solid.corners_mm for solid in solids])
    first = np.cumsum([0, *(len(solid.corners_mm) for solid in solids)])
    faces = np.concatenate([solid.faces + start for solid, start in zip(solids, first, strict=False)])
    mesh = mi.Mesh("things", len(corners), len(faces), has_vertex_normals=True, props=properties)
    mesh.add_attribute("vertex_color", 3, np.concatenate([s.paint.albedo for s in solids]).clip(0, 0.95).ravel())
    mesh.add_attribute("vertex_rough", 1, np.concatenate([solid.rough for solid in solids]).ravel())
    fill(mesh, corners, faces)
    return mesh


def _owners(scene: Any, solids: list[Solid]) -> NDArray[np.int64]:
    """Which thing shows in each pixel, from 1; 0 is the ground."""
    if not solids:
        return np.zeros((SCENE_PX, SCENE_PX), np.int64)
    y, x = (np.asarray(part.ravel(), np.float32) for part in np.mgrid[:SCENE_PX, :SCENE_PX])
    where = mi.Point2f(mi.Float((x + 0.5) / SCENE_PX), mi.Float((y + 0.5) / SCENE_PX))
    ray, _ = scene.sensors()[0].sample_ray(0.0, 0.5, where, mi.Point2f(0.5))
    hit = scene.ray_intersect_preliminary(ray)
    mesh = next(shape for shape in scene.shapes() if shape.id() == "things")
    on_mesh = np.array(hit.is_valid() & (hit.shape == mi.ShapePtr(mesh)))
    triangle = np.where(on_mesh, np.array(hit.prim_index, np.int64), -1)
    of_triangle = np.repeat(np.arange(len(solids)) + 1, [len(solid.faces) for solid in solids])
    return np.asarray(np.where(triangle < 0, 0, of_triangle[triangle]), np.int64).reshape(SCENE_PX, SCENE_PX)


def _things(solids: list[Solid], owner: NDArray[np.int64], camera: dict[str, Any]) -> list[Thing]:
    to_camera = np.linalg.inv(np.array(camera["to_world"].matrix, np.float64))
    focal_px = SCENE_PX / 2 / np.tan(np.radians(camera["fov"]) / 2)
    things = []
    for number, solid in enumerate(solids, 1):
        if solid.label == WALL:
            continue
        seen = np.column_stack([solid.corners_mm, np.ones(len(solid.corners_mm))]) @ to_camera.T
        # Mitsuba's camera looks along +z with x to the left.
        corners = SCENE_PX / 2 - focal_px * seen[:, :2] / seen[:, 2:3] - 0.5
        area = silhouette_px(corners)
        rows, columns = np.nonzero(owner == number)
        visible = len(rows) / max(area, 1.0)
        if visible < 0.25:
            continue
        (x0, y0), (x1, y1) = corners.min(0), corners.max(0)
        whole = x0 >= 0 and y0 >= 0 and x1 <= SCENE_PX - 1 and y1 <= SCENE_PX - 1
        label = "askew" if visible < VISIBLE_ENOUGH and whole and solid.kind != "other" else solid.label
        if whole:
            centre = ((x0 + x1) / 2, (y0 + y1) / 2)
        else:
            centre = ((columns.min() + columns.max()) / 2, (rows.min() + rows.max()) / 2)
        things.append(Thing(solid.kind, label, (float(centre[0]), float(centre[1])), float(np.sqrt(area)), bool(whole)))
    return things
