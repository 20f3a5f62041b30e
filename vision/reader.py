"""Frames in, observations out: the one place where everything the camera tells comes together."""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing import Rgb
from calibration.inks import SEATS
from calibration.layout import Layout, Rect
from calibration.outlines import Point
from referee.board import Cell, Seat
from referee.observation import BoardSeen, Observation, Plight, Refusal, TableState, ThrowSeen
from referee.rules import Needs
from vision.camera import Frame, Image
from vision.covered import under_tags
from vision.hands import PX_PER_MM, Covers
from vision.lens import Lenses, LensLocator
from vision.locate import Located, Locates, Locator
from vision.look import OwnBoard
from vision.overlay import Overlay as Overlay  # the pages know it from here
from vision.overlay import outside, pairs
from vision.pieces import CellsSeen, PieceReader, Standing
from vision.place import Change, Place
from vision.rectify import Rectifier
from vision.several import together
from vision.stillness import Motion, Polygon, Stillness
from vision.throws import ThrowReader

REST_FRAMES = 5
"""So many pictures of one rest are put together before anything is told."""
KEPT_FRAMES = 10
"""So many at most; then the oldest go."""
AGAIN_S = 0.5
"""How often a board that goes on resting is looked at, once it is well known."""
SEARCH_S = 0.4
"""How often the whole picture is searched for a board that is not where it was."""
LOST_S, LOST_UNDER_HAND_S = 5.0, 15.0
"""So long the tags may be out of sight without a hand, and under one; then it is rather the board that is gone."""
LIGHT_AFTER_S = 4.0
"""So long what lies over the board must be still until it may be taken for light, or for a cup on its margin."""
LIT_S = 0.3
"""How long our own LEDs disturb a reading."""
BUMP = 0.2
"""Share of a cell by which the board may shift unremarked."""
BELIEVED = 3.0
"""Log-likelihood against empty from which a piece is drawn over the picture."""
DARK = 30
"""Median of the sheet below which colours are noise."""
BLURRED_PX = 2.5


class ReadsThrows(Protocol):
    """What reads the throwing place."""

    def read(
        self,
        images: Sequence[Image],
        place_px: NDArray[np.float32] | None = None,
        *,
        px_per_mm: float | None = None,
        changes: Sequence[Change] | None = None,
    ) -> ThrowSeen:
        """Read one resting throw from frames of it."""


class Reader:
    """Understands the frames of one camera that looks at one board.

    Args:
        layout: the board.
        seats: who plays; only their pieces are looked for.
        needs: what is thrown.
        colours: sRGB of the pieces where they are not the seats' own.
        throw_reader: what reads the throwing place, if not the usual nets.
        locator: what finds the board, if not its tags; then its look is learnt at its first rest.
        standing: cells that bear pieces at that rest, by the log.
        lenses: where the camera's lens is kept.
    """

    def __init__(
        self,
        layout: Layout,
        *,
        seats: Sequence[Seat],
        needs: Needs,
        colours: Mapping[Seat, Rgb] | None = None,
        throw_reader: ReadsThrows | None = None,
        locator: Locates | None = None,
        standing: Collection[Cell] = (),
        lenses: Lenses | None = None,
    ) -> None:
        self._layout = layout
        known = {seat: {**SEATS, **(colours or {})}[seat] for seat in seats}
        self._cell_mm = float(np.sqrt(cv2.contourArea(np.asarray(layout.cells[0].outline_mm, np.float32))))
        self._locator: Locates = locator or (LensLocator(layout, lenses) if lenses else Locator(layout))
        self._stillness = Stillness()
        self._top = Rectifier(Rect(0, 0, *layout.size_mm), PX_PER_MM)
        self._covers, self._print = Covers(layout), None if locator else Covers(layout)
        self._own = OwnBoard(layout, known, px_per_mm=PX_PER_MM, standing=standing) if locator else None
        self._pieces: OwnBoard | PieceReader = self._own or PieceReader(layout, known, px_per_mm=PX_PER_MM)
        self._place = Place.of(layout)
        self._throws: ReadsThrows = throw_reader or ThrowReader(needs)
        self.located: Located | None = None
        """Where the board was seen last."""
        self.refusal: Refusal | None = None
        """Why there is no board; None while it is found."""
        self._size_px = (0, 0)
        self._searched_at = self._tags_at = self._lit_at = self._boards_at = -np.inf
        self._hand, self._moved_since_clear, self._still_since = False, True, np.inf
        self._stood: tuple[Standing, ...] = ()
        self._outside: tuple[Polygon, ...] | None = None
        self._settled: Located | None = None
        self._boards: deque[CellsSeen] = deque(maxlen=KEPT_FRAMES)
        self._board = BoardSeen({})
        self._images: list[Image] = []
        self._throw: ThrowSeen | None = None
        self._place_empty = self._light_changed = self._light_stepped = False

    def lit(self, at: float) -> None:
        """Our own LEDs change at this time of the camera's clock; what they do is no hand and no light step."""
        self._lit_at = at

    def see(self, frame: Frame) -> Observation:
        """Understand the next frame."""
        image, at = frame.image, frame.taken_at
        self._size_px = (image.shape[1], image.shape[0])
        motion = self._stillness.see(frame, self._outside)
        self._light_changed, self._light_stepped = motion.light_step and not self._light_stepped, motion.light_step
        found = self._locate(image, at)
        if self.located is None:
            return Observation(at, "lost", refusal=self.refusal)
        sheet = self._top.top_view(image, self.located)
        lit = at - self._lit_at < LIT_S
        hand = self._look_for_hand(sheet, motion, found, lit, at)
        state = self._state(motion, found, hand, lit, at)
        if self._place is not None and (state != "rest" or not self._boards):
            self._place_empty = self._place.see(image, self.located) and found
        plights, moved_mm = self._plights(sheet, state, at), self._moved_mm()
        if state != "rest" or "dark" in plights:
            self._boards.clear()
            self._images.clear()
            if self._own:
                self._own.clear()
            return self._observation(at, state, plights, moved_mm)
        self._settled = self.located
        if self._own and not self._own.rest(sheet, self.located):
            return self._observation(at, "settling", plights, moved_mm)
        self._read(image, sheet, at)
        if len(self._boards) == 1:
            self._covers.accept(sheet)
            self._stood = self._boards[-1].standing
        return self._observation(at, state, (*plights, "glare") if self._boards[-1].glare else plights, moved_mm)

    def overlay(self) -> Overlay | None:
        """What is believed now; None while there is no board."""
        if self.located is None:
            return None
        place, pieces = self._layout.place, self._believed()
        feet = self.located.project([piece.foot_mm for piece in pieces])
        return Overlay(
            size_px=self._size_px,
            board=pairs(self.located.corners_px),
            place=pairs(self.located.project(place.corners_mm)) if place else None,
            pieces=tuple((p.cell, p.seat, float(x), float(y)) for p, (x, y) in zip(pieces, feet, strict=True)),
            throw=self._throw if self._boards else None,
            field=pairs(self.located.project(self._layout.field.corners_mm)),
        )

    def _locate(self, image: Image, at: float) -> bool:
        """Follow or search the board; whether its tags were seen."""
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        search = at - self._searched_at >= SEARCH_S
        answer = self._locator.see(grey, search=search)
        if not isinstance(answer, Located):
            if search:
                self._searched_at, self.refusal = at, answer
            return False
        if self.located is None or answer.projection is not self.located.projection:
            self._outside = outside(answer, self._size_px, self._layout.size_mm)
        self.located, self.refusal, self._tags_at = answer, None, at
        return True

    def _look_for_hand(self, sheet: Image, motion: Motion, found: bool, lit: bool, at: float) -> bool:
        """Whether something covers the board. It cannot have come without a movement: what jumps by itself is light."""
        assert self.located is not None
        moved = motion.moving or (motion.light_step and 0 < motion.blocks.mean() < 0.3)
        self._moved_since_clear |= moved and not lit
        if (self._own and not self._own.known) or (not self._hand and not self._moved_since_clear and found):
            self._still_since = at
            return False
        hidden = self.located.hidden if found else tuple(tag.id for tag in self._layout.tags)
        covered = self._covers.see(sheet, hidden).found
        self._still_since = at if motion.moving or not covered else min(self._still_since, at)
        if covered and not motion.moving:
            explained = self._explained(sheet, hidden)
            cover = self._covers.see(sheet, hidden, explained)
            # Else a lamp of another colour would be a hand for ever, and the open board once a hand was taken for it.
            if cover.found and at - self._still_since > LIGHT_AFTER_S:
                covered = not (cover.aside or (not hidden and (cover.transparent or self._lies_open(sheet, explained))))
            else:
                covered = cover.found
        self._hand = covered and (self._hand or self._moved_since_clear)
        self._moved_since_clear &= covered or motion.moving
        return self._hand

    def _lies_open(self, sheet: Image, explained: Sequence[Point]) -> bool:
        """Whether the board lies open and a hand was taken for it before."""
        if self._print:
            return not self._print.see(sheet, (), explained).found
        assert self._own is not None
        if opened := self._own.opened(sheet):
            self._own.learn_anew()
        return opened

    def _explained(self, sheet: Image, hidden: Sequence[int]) -> list[Point]:
        """Where the board may differ from how it last lay open without a hand, millimetres: pieces, measured tags."""
        assert self.located
        seen = self._pieces.read(sheet, self.located)
        gone = [p for p in self._stood if p.cell in seen.cells and max(seen.cells[p.cell].values()) <= 0]
        tags = under_tags(self._layout, {*self.located.tags}.difference(hidden))
        return [*(piece.foot_mm for piece in (*seen.standing, *gone)), *tags]

    def _state(self, motion: Motion, found: bool, hand: bool, lit: bool, at: float) -> TableState:
        if not found and at - self._tags_at >= (LOST_UNDER_HAND_S if hand else LOST_S):
            return "lost"
        if hand or not found or motion.moving:
            return "hand" if hand else "moving"
        return "rest" if motion.at_rest and not motion.light_step and not lit else "settling"

    def _plights(self, sheet: Image, state: TableState, at: float) -> tuple[Plight, ...]:
        assert self.located is not None
        plights: list[Plight] = ["hand"] if state == "hand" else []
        moved = state == "lost" or (state != "rest" and self._moved_mm() > BUMP * self._cell_mm)
        plights += ["board moved"] if moved else []
        plights += ["dark"] if float(np.median(sheet[::4, ::4])) < DARK else []
        plights += ["blurred"] if self.located.blur_px > BLURRED_PX else []
        return tuple(plights)

    def _moved_mm(self) -> float:
        """How far the board lies from where it last lay at rest."""
        return self.located.moved_mm(self._settled) if self.located and self._settled else 0.0

    def _read(self, image: Image, sheet: Image, at: float) -> None:
        assert self.located is not None
        if len(self._boards) < KEPT_FRAMES or at - self._boards_at >= AGAIN_S:
            self._boards.append(self._pieces.read(sheet, self.located))
            self._boards_at = at
            self._board = BoardSeen(together([seen.cells for seen in self._boards]))
        if self._place is None:
            return
        if len(self._boards) == 1 and self._place.changed():
            self._throw = None
        if self._throw is None and len(self._images) < REST_FRAMES:
            self._images.append(image)
        if self._throw is None and len(self._images) == REST_FRAMES:
            self._throw = self._read_throw(self._place)

    def _read_throw(self, place: Place) -> ThrowSeen:
        assert self.located is not None
        images, self._images = self._images, []
        place.mark_read()
        if self._place_empty:
            return ThrowSeen("none", certain=True)
        corners_px, changes = place.corners_px(self.located), place.changes(self.located)
        seen = self._throws.read(images, corners_px, px_per_mm=place.px_per_mm(self.located), changes=changes)
        if seen.kind == "none" and seen.certain:
            if place.spots() or any(change.like_bean for change in changes):
                seen = ThrowSeen("none", plights=("extra",))
            else:  # only the light is another: else nothing would ever be thrown under it
                place.accept_empty()
                self._place_empty = True
        if seen.kind == "beans" and place.discs():
            seen = replace(seen, certain=False, plights=tuple(sorted({*seen.plights, "extra"})))
        return place.on_sheet(seen, self.located)

    def _observation(self, at: float, state: TableState, plights: tuple[Plight, ...], moved_mm: float) -> Observation:
        known = state == "rest" and len(self._boards) >= REST_FRAMES
        return Observation(
            taken_at=at,
            state=state,
            throw=self._throw if known else None,
            board=self._board if known else None,
            place_empty=self._place_empty and state != "lost",
            plights=plights,
            moved_mm=moved_mm,
            refusal=self.refusal,
            light_changed=self._light_changed,
        )

    def _believed(self) -> tuple[Standing, ...]:
        if not self._boards:
            return ()
        cells = self._board.cells
        return tuple(p for p in self._boards[-1].standing if max(cells.get(p.cell, {None: 0.0}).values()) > BELIEVED)
