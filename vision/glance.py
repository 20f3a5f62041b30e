"""One picture of a resting board, read alone: where the board is and what stands on it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.corners import Quad
from calibration.drawing import Rgb
from calibration.layout import Layout, Rect
from referee.board import Cell, Seat
from referee.observation import Plight, Refusal
from vision.camera import Image
from vision.dragged import by_corners
from vision.hands import CELLS, PX_PER_MM, Covers
from vision.lens import Lenses, LensLocator
from vision.locate import Located, Locator
from vision.pieces import PIECE_MM, CellsSeen, PieceReader
from vision.reader import BLURRED_PX, DARK
from vision.rectify import Rectifier

HIDDEN = 0.1
"""A cell of which a hand hides more than this share is not read."""


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What one picture of a board shows."""

    located: Located
    seen: CellsSeen
    colours: Mapping[Cell, Rgb]
    """sRGB as the camera sees it in the middle of each cell, at half the height of a piece."""
    plights: tuple[Plight, ...]


class Glancer:
    """Reads single pictures of one board; nothing is remembered from one to the next.

    Args:
        layout: the board.
        colours: sRGB of the pieces of the seats that are looked for.
        lenses: where the camera's lens is kept.
    """

    def __init__(self, layout: Layout, colours: Mapping[Seat, Rgb], lenses: Lenses | None = None) -> None:
        self._layout, self._lenses = layout, lenses
        self._pieces = PieceReader(layout, colours, px_per_mm=PX_PER_MM)
        self._covers = Covers(layout)

    def look(self, image: Image, corners_px: Quad | None = None) -> Glance | Refusal:
        """Read one picture as taken (blue, green, red), or say why no board is found in it.

        Args:
            image: the picture.
            corners_px: of the playing field, where a person shows them; None: the tags are sought.

        Raises:
            CornersRefused: such corners cannot be a field.
        """
        if corners_px is None:
            grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
            locator = LensLocator(self._layout, self._lenses) if self._lenses else Locator(self._layout)
            located = locator.see(grey)
        else:
            size_px = (image.shape[1], image.shape[0])
            prior = self._lenses.prior(size_px) if self._lenses else None
            located = by_corners(self._layout, corners_px, size_px, prior.lens if prior else None)
        if not isinstance(located, Located):
            return located
        sheet = Rectifier(Rect(0, 0, *self._layout.size_mm), PX_PER_MM).top_view(image, located)
        seen = self._pieces.read(sheet, located)
        plights: list[Plight] = []
        # Three pieces side by side are no hand, a sleeve that looks like pieces remains one.
        if self._covers.see(sheet, located.hidden, [piece.foot_mm for piece in seen.standing]).found:
            plights.append("hand")
            seen = self._beside(self._covers.see(sheet).mask, seen)
        if seen.glare:
            plights.append("glare")
        if float(np.median(sheet[::4, ::4])) < DARK:
            plights.append("dark")
        if located.blur_px > BLURRED_PX:
            plights.append("blurred")
        return Glance(located, seen, self._colours(sheet, located, seen), tuple(plights))

    def _beside(self, mask: NDArray[np.uint8], seen: CellsSeen) -> CellsSeen:
        """Without the cells that the hand hides, given where the sheet differs from the print."""
        around, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        outlines = {
            place.name: np.rint(np.asarray(place.outline_mm) * PX_PER_MM).astype(np.int32)
            for place in self._layout.cells
        }
        cell_px = float(np.median([cv2.contourArea(outline) for outline in outlines.values()]))
        hand = np.zeros_like(mask)
        cv2.drawContours(hand, [one for one in around if cv2.contourArea(one) > CELLS * cell_px], -1, (1,), cv2.FILLED)
        hidden = {
            name
            for name, outline in outlines.items()
            if cv2.mean(hand, cv2.fillConvexPoly(np.zeros_like(mask), outline, (1,)))[0] > HIDDEN
        }
        return replace(
            seen,
            cells={name: values for name, values in seen.cells.items() if name not in hidden},
            standing=tuple(piece for piece in seen.standing if piece.cell not in hidden),
        )

    def _colours(self, sheet: Image, located: Located, seen: CellsSeen) -> dict[Cell, Rgb]:
        feet = {place.name: place.centre_mm for place in self._layout.cells}
        feet |= {piece.cell: piece.foot_mm for piece in seen.standing}
        spots_mm = located.on_board(located.project(list(feet.values()), PIECE_MM / 2))
        colours: dict[Cell, Rgb] = {}
        for name, (x, y) in zip(feet, np.rint(spots_mm * PX_PER_MM - 0.5).astype(int), strict=True):
            patch = sheet[max(y - 2, 0) : y + 3, max(x - 2, 0) : x + 3].reshape(-1, 3)
            blue, green, red = (int(v) for v in np.median(patch, axis=0))
            colours[name] = (red, green, blue)
        return colours
