"""What lies on the table that :mod:`vision.training.traced` shows: solids as meshes, clear of each other or stacked."""

from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.lies import PROPPED, THROWN_KINDS, lie_of_bean, lie_of_die, thrown_count
from vision.training.meshes import bean_mesh, die_mesh, footprint
from vision.training.scenes import BEAN_MM, DIE_MM
from vision.training.solids import Bean, Die, Floats, Paint, bean_paint, die_paint, noise, rotation
from vision.training.styles import bean_style, crumb, die_style, distractor, half_lengths
from vision.training.surfaces import tint

WALL = "wall"
"""Label of a tray's wall: nothing to be found, but something to lean against."""
WALLED, BESIDE = 0.35, 0.15
"""How often there is one, and how often what lies flat in a throw touches something."""


@dataclass(frozen=True, slots=True)
class Solid:
    """One thing on the table."""

    kind: Literal["bean", "die", "other"]
    label: str
    corners_mm: Floats
    """World axes, z up, shape (n, 3)."""
    faces: NDArray[np.int64]
    """Shape (m, 3)."""
    paint: Paint
    rough: Floats
    """Roughness at each corner, 0 to 1."""


def laid_out(rng: Generator, reach_mm: float, eye: Floats, thrown: bool) -> list[Solid]:
    """All that lies on a table seen from the direction ``eye``; ``thrown``: one throw as it comes."""
    kind = rng.choice(["beans", "dice", "mixed", "none"], p=THROWN_KINDS if thrown else [0.6, 0.27, 0.08, 0.05])
    count = 0 if kind == "none" else thrown_count(rng, kind) if thrown else int(rng.integers(6, 20))
    beans, dice = bean_style(rng, thrown), die_style(rng)
    long_mm, edge_mm = half_lengths(rng, BEAN_MM, thrown), half_lengths(rng, DIE_MM, thrown)
    polish = _polish(rng)
    solids = [_wall(rng, reach_mm)] if thrown and rng.random() < WALLED else []
    for _ in range(count):
        as_bean = kind == "beans" or (kind == "mixed" and rng.random() < 0.5)
        polish = polish if thrown else _polish(rng)
        propped = thrown and bool(solids) and bool(rng.random() < PROPPED)
        solid = (
            _a_bean(rng, beans(), long_mm(), eye, polish, thrown, propped)
            if as_bean
            else _a_die(rng, dice(), edge_mm(), thrown, propped)
        )
        # Seen at a slant the picture's far edge is nearer than its middle's.
        within_mm, stacked = (0.7 * reach_mm, 0.01) if thrown else (reach_mm, 0.05)
        if propped or (thrown and solids and rng.random() < BESIDE):
            _lean(rng, solid, solids, within_mm)
        else:
            _put(rng, solid, solids, within_mm, stacked=bool(rng.random() < stacked))
    for _ in range(int(rng.poisson(0.8 if thrown else 2.5))):
        _put(rng, _a_distractor(rng), solids, 1.1 * reach_mm)
    for _ in range(int(rng.integers(1, 15)) if thrown and rng.random() < 0.3 else 0):
        _put(rng, _lying(*crumb(rng), False, rng), solids, 1.1 * reach_mm)
    return solids


def _a_bean(
    rng: Generator, bean: Bean, half_mm: float, eye: Floats, polish: float, thrown: bool, propped: bool
) -> Solid:
    label, pose, marked = lie_of_bean(rng, eye, thrown, propped)
    points, faces = bean_mesh(bean)
    paint = bean_paint(bean, points, marked)
    lift = 0.12 * bean.bumps * paint.wrinkle - (0.06 * paint.mark if bean.drilled else 0)
    points = points * (1 + lift[:, None])
    rough = np.clip(polish + 0.5 * rng.uniform(0.2, 1) * paint.mark, 0, 1)
    return Solid("bean", label, _standing(points * half_mm @ pose.T), faces, paint, np.asarray(rough, np.float32))


def _polish(rng: Generator) -> float:
    """Roughness of a bean's skin."""
    return float(np.exp(rng.uniform(np.log(0.14), np.log(0.75))))


def _a_die(rng: Generator, die: Die, half_mm: float, thrown: bool, propped: bool) -> Solid:
    label, pose = lie_of_die(rng, die, thrown, propped)
    points, faces = die_mesh(die)
    paint = die_paint(die, points)
    bowl = np.sqrt(np.clip(1 - (np.hypot(*paint.off_mark.T) / die.pip_radius) ** 2, 0, 1))
    points = points * (1 - 0.09 * min(die.drilled, 1.0) * paint.mark * bowl)[:, None]
    rough = np.clip(_roughness(die.gloss, die.sharpness) + 0.3 * paint.mark, 0, 1)
    return Solid("die", label, _standing(points * half_mm @ pose.T), faces, paint, np.asarray(rough, np.float32))


def _a_distractor(rng: Generator) -> Solid:
    """A pebble, coin, counter, pen or cup; at times a finger or an arm, held above the table."""
    shape, half_mm, ringed = distractor(rng)
    solid = _lying(shape, half_mm, ringed, rng)
    if rng.random() > 0.15:
        return solid
    skin = np.asarray([0.55, 0.3, 0.2]) * rng.uniform(0.25, 1.3)
    albedo = np.ascontiguousarray(np.broadcast_to(skin.astype(np.float32), solid.paint.albedo.shape))
    corners = solid.corners_mm + np.asarray([0, 0, rng.uniform(0, 60)], np.float32)
    return replace(solid, corners_mm=corners, paint=replace(solid.paint, albedo=albedo))


def _wall(rng: Generator, reach_mm: float) -> Solid:
    """A rim of a tray, across the picture."""
    half = np.asarray([2 * reach_mm, rng.uniform(2, 9), rng.uniform(5, 20)], np.float32)
    points, faces = die_mesh(replace(die_style(rng)(), rounding=float(rng.uniform(0.02, 0.3))))
    grain = noise(rng, (64, 64), 3)[((points[:, :2] * [0.5, 0.2] + 1) * 31).astype(int).T[0], 7]
    albedo = np.asarray(tint(rng, 0.05, 0.85, 0.8), np.float32) * (1 + 0.15 * grain[:, None])
    flat = np.zeros(len(points), np.float32)
    paint = Paint(np.asarray(albedo, np.float32), flat, np.zeros((len(points), 2), np.float32), flat)
    away = rng.uniform(0.25, 0.8) * reach_mm
    turned = (points * half + np.asarray([0, away, 0], np.float32)) @ rotation((0, 0, 1), rng.uniform(0, 6.3)).T
    rough = np.full(len(points), rng.uniform(0.2, 0.9), np.float32)
    return Solid("other", WALL, _standing(np.asarray(turned, np.float32)), faces, paint, rough)


def _lying(solid: Bean, half_mm: float, ringed: bool, rng: Generator) -> Solid:
    """What is neither bean nor die, flat on the table."""
    pose = rotation((0, 0, 1), rng.uniform(0, 6.3)) @ rotation((1, 0, 0), rng.normal(0, 0.1))
    points, faces = bean_mesh(solid)
    paint = bean_paint(solid, points, ringed)
    points = points * (1 + 0.12 * solid.bumps * paint.wrinkle[:, None])
    rough = np.full(len(points), _roughness(solid.gloss, solid.sharpness), np.float32)
    return Solid("other", "other", _standing(points * half_mm @ pose.T), faces, paint, rough)


def _roughness(gloss: float, sharpness: float) -> float:
    """Blinn's exponent as a roughness (Walter et al., Microfacet Models, 2007: alpha = sqrt(2 / (n + 2)))."""
    return float(np.clip((2 / (sharpness + 2)) ** 0.25 + 0.25 * max(0.0, 0.5 - gloss), 0.06, 0.95))


def _standing(corners: Floats) -> Floats:
    """Let down until it touches the table."""
    return np.asarray(corners - [0, 0, corners[:, 2].min()], np.float32)


def _put(rng: Generator, solid: Solid, there: list[Solid], reach_mm: float, stacked: bool = False) -> None:
    """Put a thing down clear of the others, often near one of them; or upon one, when ``stacked``."""
    hull = footprint(solid.corners_mm)
    below = [other for other in there if other.label != WALL]
    upon = below[int(rng.integers(len(below)))] if stacked and below else None
    for _ in range(30):
        near = there[int(rng.integers(len(there)))] if there and rng.random() < 0.65 else None
        if upon is not None:
            middle = upon.corners_mm.mean(0)
            at = middle[:2] + rng.normal(0, 0.25, 2) * np.ptp(hull, axis=0)
        elif near is None:
            at = rng.uniform(-reach_mm, reach_mm, 2)
        else:
            way = rng.uniform(0, 2 * np.pi)
            far = 0.5 * (np.ptp(hull, axis=0).max() + np.ptp(near.corners_mm[:, :2], axis=0).max())
            at = near.corners_mm.mean(0)[:2] + far * rng.uniform(0.55, 1.7) * np.asarray([np.cos(way), np.sin(way)])
        if np.abs(at).max() > reach_mm:
            continue
        moved = hull + at.astype(np.float32)
        others = [footprint(other.corners_mm) for other in there]
        if upon is None and any(cv2.intersectConvexConvex(moved, other)[0] > 0 for other in others):
            continue
        corners = solid.corners_mm + np.asarray([at[0], at[1], 0], np.float32)
        label = solid.label if upon is None or solid.kind == "other" else "askew"
        if upon is not None:
            lean = rotation((float(rng.normal()), float(rng.normal()), 0.0), rng.uniform(0.1, 0.6))
            middle = corners.mean(0)
            corners = _standing((corners - middle) @ lean.T + middle)
            corners[:, 2] += 0.75 * upon.corners_mm[:, 2].max()
        there.append(Solid(solid.kind, label, corners, solid.faces, solid.paint, solid.rough))
        return


def _lean(rng: Generator, solid: Solid, there: list[Solid], reach_mm: float) -> None:
    """Put a thing down against one that is there, and may hold it askew; not at all where there is no room."""
    hull = footprint(solid.corners_mm)
    hulls = [footprint(other.corners_mm) for other in there]
    for _ in range(30):
        upon, turn, share = int(rng.integers(len(there))), rng.uniform(0, 2 * np.pi), rng.uniform()
        ends = hulls[upon][rng.integers(len(hulls[upon]), size=2)]
        middle, way = share * ends[0] + (1 - share) * ends[1], np.asarray([np.cos(turn), np.sin(turn)])
        near, far = 0.0, float(np.ptp(hull, axis=0).max() + np.ptp(hulls[upon], axis=0).max())
        for _ in range(12):
            half = (near + far) / 2
            met = cv2.intersectConvexConvex(hull + (middle + half * way).astype(np.float32), hulls[upon])[0] > 0
            near, far = (half, far) if met else (near, half)
        # Both are rounder below than seen from above.
        at = middle + (far - rng.uniform(0, 0.08) * float(np.ptp(hull, axis=0).max())) * way
        moved = hull + at.astype(np.float32)
        clear = (cv2.intersectConvexConvex(moved, other)[0] == 0 for i, other in enumerate(hulls) if i != upon)
        if np.abs(at).max() <= reach_mm and all(clear):
            there.append(replace(solid, corners_mm=solid.corners_mm + np.asarray([*at, 0], np.float32)))
            return
