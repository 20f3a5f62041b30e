"""``python -m vision.training.grounds FOLDER…``: gather photographs of ground, upon which throws are rendered.

Any pictures of wood, stone, cloth, gravel or grass do, and of anything else now and then: what is no throw must not be
taken for one. The pictures stay in ``.cache/grounds``; nothing of them is in the nets' files or in the project.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from vision.camera import Image
from vision.training.surfaces import PHOTOGRAPHS

LEAST_PX, KEPT_PX, MOST_PX = 250, 720, 1400
"""Shorter side that is enough, that is kept, and longest side that is kept."""
FORMATS = {".jpg", ".jpeg", ".png", ".webp"}


def main() -> None:
    """Keep every picture that may be a ground, in place of those gathered before."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    PHOTOGRAPHS.mkdir(parents=True, exist_ok=True)
    for former in PHOTOGRAPHS.glob("*.jpg"):
        former.unlink()
    kept = 0
    for path in sorted(path for folder in options.folders for path in folder.rglob("*")):
        ground = usable(path) if path.suffix.lower() in FORMATS else None
        if ground is not None:
            cv2.imwrite(str(PHOTOGRAPHS / f"{kept:05d}.jpg"), ground, [cv2.IMWRITE_JPEG_QUALITY, 92])
            kept += 1
    print(f"{kept} grounds in {PHOTOGRAPHS}")


def usable(path: Path) -> Image | None:
    """The picture, shrunk; None for what is small, see-through, even, or a sheet of shapes on one colour."""
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if image is None or image.dtype != np.uint8 or min(image.shape[:2]) < LEAST_PX:
        return None
    if image.ndim == 3 and image.shape[2] == 4:
        if image[..., 3].min() < 250:
            return None
        image = image[..., :3]
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    shrink = KEPT_PX / min(image.shape[:2])
    if shrink < 1:
        image = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    image = np.ascontiguousarray(image[:MOST_PX, :MOST_PX])
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    sheet = float((grey < 6).mean()) > 0.12 or float((grey > 250).mean()) > 0.35
    return None if sheet or float(grey.std()) < 3 else np.asarray(image, np.uint8)


if __name__ == "__main__":
    main()
