"""One picture of a resting board, read alone: where the board is and what stands on it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.corners import Quad
from calibration.drawing import Rgb
from calibration.layout import Layout, Rect
from referee.board import Cell, Seat
from referee.observation import BLINDING, Plight, Refusal
from vision.camera import Image
from vision.covered import WIDEST, under_tags
from vision.dragged import by_corners
from vision.follow import Follower
from vision.hands import EDGE_PX, PX_PER_MM, Covers, Mask
from vision.lens import Lenses, LensLocator
from vision.locate import Located, Locator
from vision.look import by_guess, is_printed
from vision.pieces import PIECE_MM, CellsSeen, PieceReader
from vision.rectify import Rectifier
from vision.tags import Grey
from vision.visibility import picture_plights

HIDDEN = 0.1
"""A cell of which a hand hides more than this share is not read."""
PLAIN = 6.0
"""Evidence of a piece in a picture of the empty board from which it is not empty."""
ELSEWHERE = 0.5
"""In lengths of the field's longest side in the picture: so far its corners may lie from where they are in the picture
of the empty board."""


class EmptyRefused(Exception):
    """What should show the empty board does not; one line that says why, and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What one picture of a board shows."""

    located: Located
    seen: CellsSeen
    colours: Mapping[Cell, Rgb]
    """sRGB as the camera sees it in the middle of each cell, at half the height of a piece."""
    plights: tuple[Plight, ...]
    guessed: bool
    """Whether nobody knows how this board looks empty."""


class Glancer:
    """Reads single pictures of one board; nothing is remembered from one to the next but how it looks empty.

    Args:
        layout: the board.
        colours: sRGB of the pieces of the seats that are looked for.
        lenses: where the camera's lens is kept.
    """

    def __init__(self, layout: Layout, colours: Mapping[Seat, Rgb], lenses: Lenses | None = None) -> None:
        self._layout, self._lenses = layout, lenses
        self._colours_of = colours
        self._pieces = PieceReader(layout, colours, px_per_mm=PX_PER_MM)
        self._covers = Covers(layout)
        self._rectifier = Rectifier(Rect(0, 0, *layout.size_mm), PX_PER_MM)
        self._empty: tuple[Grey, Quad] | None = None
        self._learnt: tuple[Located, tuple[int, ...]] | None = None
        """Where the empty board was found, and the shape of its picture."""
        self._doubted: frozenset[Cell] = frozenset()
        """Cells that may bear pieces in what was shown as the empty board: there "as before" is not "empty"."""

    def learn(
        self, image: Image, corners_px: Quad | None = None, standing: Mapping[Cell, Seat] | None = None
    ) -> Refusal | None:
        """Read from now on against this picture of the empty board; why not, if no board is found in it.

        Args:
            image: the picture.
            corners_px: of the playing field, where a person shows them in it; then the board is followed from it.
            standing: where pieces stand in the other pictures, as far as it is known; here they must not.

        Raises:
            CornersRefused: such corners cannot be a field.
            EmptyRefused: pieces are plain to see in it.
        """
        located = self._find(image, corners_px)
        if not isinstance(located, Located):
            return located
        if corners_px is not None:
            followed = Follower(self._layout, corners_px).see(_grey(image))
            if not isinstance(followed, Located):
                return followed
        look = self._rectifier.top_view(image, located)
        bearing = self._bearing(look, located)
        pieces = self._plain_pieces(located, bearing, standing or {})
        if pieces:
            cells = f"{'cells' if len(pieces) > 1 else 'cell'} {', '.join(pieces)}"
            raise EmptyRefused(f"pieces stand on {cells} in it: take them off, and take the picture again")
        self._pieces = PieceReader(self._layout, self._colours_of, px_per_mm=PX_PER_MM, look=look)
        self._covers.accept(look)
        self._learnt = located, image.shape
        self._doubted = frozenset(bearing)
        if corners_px is not None:
            self._empty = _grey(image), corners_px
        return None

    def look(self, image: Image, corners_px: Quad | None = None) -> Glance | Refusal:
        """Read one picture as taken (blue, green, red), or say why no board is found in it.

        Args:
            image: the picture.
            corners_px: of the playing field, where a person shows them; None: the tags are sought. Of a board that was
                learnt by its corners they are known.

        Raises:
            CornersRefused: such corners cannot be a field.
            EmptyRefused: the picture of the empty board is no view like this one.
        """
        if self._learnt and self._learnt[1] != image.shape:
            (high, wide), (height, width) = self._learnt[1][:2], image.shape[:2]
            raise EmptyRefused(
                f"it has {wide}x{high} pixels, the other picture {width}x{height}: take both with the same camera and "
                "the same settings"
            )
        located = self._followed(image, *self._empty) if self._empty else self._find(image, corners_px)
        if not isinstance(located, Located):
            return located
        if self._learnt and self._apart(self._learnt[0], located) > ELSEWHERE:
            raise EmptyRefused(
                "the board lies elsewhere in it than in the other picture: leave board and camera as they are for both"
            )
        sheet = self._rectifier.top_view(image, located)
        tagged = bool(located.tags and self._layout.chips)
        exact = self._learnt is not None or tagged
        guessed = not exact and not is_printed(sheet, self._layout, PX_PER_MM)
        if guessed:
            seen = by_guess(sheet, located, self._layout, self._colours_of, px_per_mm=PX_PER_MM)
        else:
            seen = self._pieces.read(sheet, located)
            told = {c: v for c, v in seen.cells.items() if c not in self._doubted or max(v.values()) > v[None]}
            seen = replace(seen, cells=told)
        plights: list[Plight] = []
        if exact:  # else it is not line for line what is drawn here
            seen, hand = self._without_hand(sheet, located, seen)
            plights += ["hand"] if hand else []
        if seen.glare:
            plights.append("glare")
        plights += picture_plights(sheet, located.blur_px, printed=tagged or not (guessed or self._learnt))
        if not BLINDING.isdisjoint(plights):
            seen = replace(seen, cells={}, standing=())
        return Glance(located, seen, self._colours(sheet, located, seen), tuple(plights), guessed)

    def _bearing(self, look: Image, located: Located) -> dict[Cell, Mapping[Seat | None, float]]:
        """Cells that plainly look as if they bore pieces in what should be the look of the empty board."""
        if located.tags and self._layout.chips:
            seen = self._pieces.read(look, located).cells
        else:
            seen = by_guess(look, located, self._layout, self._colours_of, px_per_mm=PX_PER_MM).cells
        return {cell: values for cell, values in seen.items() if max(values.values()) > PLAIN}

    def _plain_pieces(
        self, located: Located, bearing: Mapping[Cell, Mapping[Seat | None, float]], standing: Mapping[Cell, Seat]
    ) -> tuple[Cell, ...]:
        """Of the cells that look so, those in which pieces are plain to see."""
        if located.tags and self._layout.chips:
            return tuple(bearing)
        # Stains and painted cells may look like pieces, but hardly where most of these very pieces stand.
        told = tuple(cell for cell, seat in standing.items() if bearing.get(cell, {}).get(seat, 0.0) > PLAIN)
        return told if 2 * len(told) > len(standing) else ()

    def _apart(self, empty: Located, located: Located) -> float:
        """How far the field lies from where it was empty, in lengths of its longest side there."""
        then, now = (place.project(self._layout.field.corners_mm) for place in (empty, located))
        longest = np.linalg.norm(np.roll(then, 1, axis=0) - then, axis=1).max()
        return float(np.linalg.norm(now - then, axis=1).max() / longest)

    def _followed(self, image: Image, empty: Grey, corners_px: Quad) -> Located | Refusal:
        """From where it lay when it was empty, whichever pictures came between."""
        follower = Follower(self._layout, corners_px)
        refusal = follower.see(empty)
        return follower.see(_grey(image)) if isinstance(refusal, Located) else refusal

    def _find(self, image: Image, corners_px: Quad | None) -> Located | Refusal:
        if corners_px is None:
            locator = LensLocator(self._layout, self._lenses) if self._lenses else Locator(self._layout)
            return locator.see(_grey(image))
        size_px = (image.shape[1], image.shape[0])
        prior = self._lenses.prior(size_px) if self._lenses else None
        return by_corners(self._layout, corners_px, size_px, prior.lens if prior else None)

    def _without_hand(self, sheet: Image, located: Located, seen: CellsSeen) -> tuple[CellsSeen, bool]:
        """Without the cells that a hand hides, and whether there is a hand."""
        outlines = {
            place.name: np.rint(np.asarray(place.outline_mm) * PX_PER_MM).astype(np.int32)
            for place in self._layout.cells
        }
        edge_px = float(np.sqrt(np.median([cv2.contourArea(outline) for outline in outlines.values()])))
        hand = self._hand(sheet, located, seen, edge_px)
        if hand is None:
            return seen, False
        hidden = {
            name
            for name, outline in outlines.items()
            if cv2.mean(hand, cv2.fillConvexPoly(np.zeros_like(hand), outline, (1,)))[0] > HIDDEN
        }
        cells = {name: values for name, values in seen.cells.items() if name not in hidden}
        standing = tuple(piece for piece in seen.standing if piece.cell not in hidden)
        return replace(seen, cells=cells, standing=standing), True

    def _hand(self, sheet: Image, located: Located, seen: CellsSeen, edge_px: float) -> Mask | None:
        """All that a hand hides with what touches it, where one lies over the board; ``edge_px``: of a cell."""
        tags = under_tags(self._layout, located.tags)
        pieces = self._covers.see(sheet, located.hidden, [*(piece.foot_mm for piece in seen.standing), *tags])
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(WIDEST * edge_px), round(WIDEST * edge_px)))
        wide = cv2.erode(pieces.mask, disc, borderType=cv2.BORDER_REPLICATE) > 0
        _, parts = cv2.connectedComponents(self._covers.see(sheet, (), tags).mask)
        inner, rim = np.zeros_like(wide), EDGE_PX + 1
        inner[rim:-rim, rim:-rim] = True
        # Pieces side by side with deep shadows are no hand, a sleeve that looks like pieces remains one.
        large = np.flatnonzero(np.bincount(parts.ravel())[1:] > edge_px**2) + 1
        hands = np.intersect1d(large, parts[wide | ~inner])
        if not (pieces.found and hands.size):
            return None
        beside = np.ones((round(edge_px) | 1,) * 2, np.uint8)
        near = cv2.dilate(np.isin(parts, hands).astype(np.uint8), beside) > 0
        whole = np.isin(parts, np.setdiff1d(parts[near], (0,))).astype(np.uint8)
        around, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        hand = np.zeros_like(whole)
        cv2.drawContours(hand, around, -1, (1,), cv2.FILLED)
        return hand

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


def _grey(image: Image) -> Grey:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
