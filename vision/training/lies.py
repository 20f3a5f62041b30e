"""What is thrown, and how it comes to lie."""

import numpy as np
from numpy.random import Generator

from vision.training.solids import Die, Floats, rotation

FLAT_RAD = float(np.radians(60))
"""Between the mark's normal and the vertical: a bean that is rolled over further shows no face."""
SEEN, HIDDEN = 0.3, -0.15
"""Cosine between the mark's normal and the direction of the camera: from which a mark is seen well, below which not."""
ASKEW, ASKEW_DIE = 0.1, 0.06
"""How often a bean and a die lie askew where much is shown at once, each as it likes."""
PROPPED, ALONE = 0.05, 0.004
"""How often one of a throw lies askew against what lies there already, and how often with nothing to hold it: it would
fall over, and none of 320 beans that lay free in the shared throws did, but 10 of 97 that touched others. Both oftener
than it happens, so that there is something to learn from ..."""
RARE = 0.3
"""... and so each such one counts this much."""
EDGE_RAD = float(np.radians(75))
"""From which a bean that was thrown stays on its edge: before, it falls over."""
THROWN_PX_PER_MM = (1.1, 2.8)
THROWN_KINDS = (0.66, 0.26, 0.0, 0.08)
"""Beans, dice, both, nothing."""
TRIES = 20


def thrown_count(rng: Generator, kind: str) -> int:
    """How many are thrown at a time."""
    if kind == "dice":
        return int(rng.integers(1, 7))
    return 5 if rng.random() < 0.6 else int(rng.integers(3, 9))


def lie_of_bean(rng: Generator, eye: Floats, thrown: bool = False, propped: bool = False) -> tuple[str, Floats, bool]:
    """How a bean came to lie: its label, its pose (object to world axes), whether it is painted at all.

    ``propped``: something holds it askew. A label that ``eye``, the direction of the camera, cannot see would only
    teach doubt: a mark that is turned out of sight, or one on a plain bean's rim that is plain to see.
    """
    lie, painted = rng.random(), thrown or bool(rng.random() < 0.85)
    askew, steepest = (1.0 if propped else ALONE, EDGE_RAD) if thrown else (ASKEW, FLAT_RAD + 0.03)
    label, marked = ("askew", True) if lie < askew else ("marked", True) if lie < 0.52 else ("plain", painted)
    for _ in range(TRIES):
        if label == "askew":
            roll = rng.uniform(steepest, np.pi - steepest)
        else:
            roll = _leaning(rng, thrown) if label == "marked" else np.pi - _leaning(rng, thrown)
        tumble = rotation((1, 0, 0), roll * rng.choice([-1, 1])) @ rotation((0, 1, 0), rng.normal(0, 0.12))
        pose = np.asarray(rotation((0, 0, 1), rng.uniform(0, 2 * np.pi)) @ tumble, np.float32)
        faces_eye = float(pose[:, 2] @ eye)
        if label == "askew" or (faces_eye > SEEN if label == "marked" else not marked or faces_eye < HIDDEN):
            break
    return label, pose, marked


def _leaning(rng: Generator, thrown: bool) -> float:
    """How far a bean that shows a face is rolled over: mostly little."""
    much, usual = (0.03, 0.22) if thrown else (0.15, 0.28)
    return float(rng.uniform(0.4, FLAT_RAD - 0.03) if rng.random() < much else abs(rng.normal(0, usual)) % 0.75)


def lie_of_die(rng: Generator, die: Die, thrown: bool = False, propped: bool = False) -> tuple[str, Floats]:
    """How a die came to lie: its label and its pose (object to world axes); ``propped``: something holds it askew."""
    base = rotation((0, 0, 1), rng.uniform(0, 2 * np.pi))
    face = int(rng.integers(6))
    normal = np.zeros(3, np.float32)
    normal[face // 2] = 1 - 2 * (face % 2)
    axis = np.cross(normal, np.asarray([0, 0, 1], np.float32))
    if np.linalg.norm(axis) < 0.5:
        stand = rotation((1, 0, 0), 0.0 if normal[2] > 0 else np.pi)
    else:
        stand = rotation((float(axis[0]), float(axis[1]), float(axis[2])), np.pi / 2)
    label = str(die.faces[face])
    if rng.random() < (1.0 if propped else ALONE if thrown else ASKEW_DIE):
        label = "askew"
        angle = rng.uniform(0, 2 * np.pi)
        base = rotation((float(np.cos(angle)), float(np.sin(angle)), 0.0), rng.uniform(0.35, 0.8)) @ base
    return label, np.asarray(base @ stand, np.float32)
