"""The watch over hands: from frame to frame, whether a hand or anything else lies over the board.

``Covers`` tells of one picture where the board does not look as it last lay open. What that is only the course of
things can tell: a hand comes with a movement, light does not; pieces that have come or gone are no hand; and what lies
still for long where it hides no cell, or what the print shows through, does not stop the game.
"""

from collections.abc import Sequence

from calibration.layout import Layout
from calibration.outlines import Point
from vision.camera import Image
from vision.covered import under_tags
from vision.hands import Covers
from vision.locate import Located
from vision.look import OwnBoard
from vision.pieces import PieceReader, Standing
from vision.stillness import Motion

LIGHT_AFTER_S = 4.0
"""So long what lies over the board must be still until it may be taken for light, or for a cup on its margin."""
LIGHT_STIRS = 0.3
"""A jump of the light that is seen in fewer blocks of the picture than this share may be a hand with its shadow."""


class HandWatch:
    """Follows what lies over one board, through the frames of one camera.

    Args:
        layout: the board.
        pieces: what reads its cells; of a board of one's own also how it looks.
    """

    def __init__(self, layout: Layout, pieces: PieceReader | OwnBoard) -> None:
        self._layout, self._pieces = layout, pieces
        self._own = pieces if isinstance(pieces, OwnBoard) else None
        self._covers = Covers(layout)
        # A fresh one, for against its print an open board is told though a hand was taken for it before.
        self._print = None if self._own else Covers(layout)
        self._hand = False
        # Nobody knows what came over the board before the first frame.
        self._moved_since_clear = True
        self._still_since = float("inf")
        self._stood: tuple[Standing, ...] = ()

    def accept(self, sheet: Image, standing: tuple[Standing, ...]) -> None:
        """The board rests and lies open, and these pieces stand on it; later top views are compared with this one."""
        self._covers.accept(sheet)
        self._stood = standing

    def see(self, sheet: Image, located: Located, motion: Motion, *, found: bool, lit: bool, at: float) -> bool:
        """Look at the next frame; whether something lies over the board.

        Args:
            sheet: top view of the whole sheet, at ``hands.PX_PER_MM``.
            located: where the board is, or was seen last.
            motion: up to this frame.
            found: whether the board is seen in this very frame.
            lit: whether our own LEDs have just changed; what they stir is no movement.
            at: the frame's time, seconds.
        """
        moved = motion.moving or (motion.light_step and 0 < motion.blocks.mean() < LIGHT_STIRS)
        self._moved_since_clear |= moved and not lit
        learning = self._own is not None and not self._own.known
        nothing_came = found and not self._hand and not self._moved_since_clear
        if learning or nothing_came:
            self._still_since = at
            return False
        hidden = located.hidden if found else tuple(tag.id for tag in self._layout.tags)
        covered = self._covers.see(sheet, hidden).found
        if motion.moving or not covered:
            self._still_since = at
        else:
            self._still_since = min(self._still_since, at)
            covered = self._stays_covered(sheet, located, hidden, long=at - self._still_since > LIGHT_AFTER_S)
        self._hand = covered and (self._hand or self._moved_since_clear)
        self._moved_since_clear &= covered or motion.moving
        return self._hand

    def _stays_covered(self, sheet: Image, located: Located, hidden: Sequence[int], *, long: bool) -> bool:
        """Whether what lies still over the board is more than pieces and, once it has lain there for long, no light."""
        explained = self._explained(sheet, located, hidden)
        cover = self._covers.see(sheet, hidden, explained)
        if not (cover.found and long):
            return cover.found
        if cover.aside:
            return False
        if hidden:
            return True
        # Else a lamp of another colour would be a hand for ever, and the open board once a hand was taken for it.
        if cover.transparent:
            return False
        if self._print is not None:
            return self._print.see(sheet, (), explained).found
        assert self._own is not None
        if not self._own.opened(sheet):
            return True
        self._own.learn_anew()
        return False

    def _explained(self, sheet: Image, located: Located, hidden: Sequence[int]) -> list[Point]:
        """Where the board may differ from how it last lay open without a hand, millimetres: pieces, measured tags."""
        seen = self._pieces.read(sheet, located)
        gone = [p for p in self._stood if p.cell in seen.cells and max(seen.cells[p.cell].values()) <= 0]
        tags = under_tags(self._layout, {*located.tags}.difference(hidden))
        return [*(piece.foot_mm for piece in (*seen.standing, *gone)), *tags]
