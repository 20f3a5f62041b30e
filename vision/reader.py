"""Frames in, observations out: the one place where everything the camera tells comes together."""

from collections import deque
from collections.abc import Collection, Mapping, Sequence

import cv2
import numpy as np

from calibration.drawing import Rgb
from calibration.inks import SEATS
from calibration.layout import Layout, Rect
from referee.board import Cell, Seat
from referee.observation import BLINDING, BoardSeen, Observation, Plight, Refusal, TableState
from referee.rules import Needs
from vision.camera import Frame, Image
from vision.dragged import cell_mm
from vision.hand_watch import HandWatch
from vision.hands import PX_PER_MM
from vision.lens import Lenses, LensLocator
from vision.locate import Located, Locates, Locator
from vision.look import OwnBoard
from vision.overlay import Overlay, outside, pairs
from vision.pieces import CellsSeen, PieceReader, Standing
from vision.place import Place
from vision.rectify import Rectifier
from vision.several import together
from vision.stillness import Motion, Polygon, Stillness
from vision.throw_watch import REST_FRAMES, ReadsThrows, ThrowWatch
from vision.throws import ThrowReader
from vision.visibility import picture_plights

KEPT_FRAMES = 10
"""So many pictures of one rest are put together at most; then the oldest go."""
AGAIN_S = 0.5
"""How often a board that goes on resting is looked at, once it is well known."""
SEARCH_S = 0.4
"""How often the whole picture is searched for a board that is not where it was."""
LOST_S, LOST_UNDER_HAND_S = 5.0, 15.0
"""So long the tags may be out of sight without a hand, and under one; then it is rather the board that is gone."""
LIT_S = 0.3
"""How long our own LEDs disturb a reading."""
BUMP = 0.2
"""Share of a cell by which the board may shift unremarked."""
BELIEVED = 3.0
"""Log-likelihood against empty from which a piece is drawn over the picture."""


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
        self._layout, self._cell_mm = layout, cell_mm(layout)
        known = {seat: {**SEATS, **(colours or {})}[seat] for seat in seats}
        self._locator: Locates = locator or (LensLocator(layout, lenses) if lenses else Locator(layout))
        self._stillness = Stillness()
        self._top = Rectifier(Rect(0, 0, *layout.size_mm), PX_PER_MM)
        self._own = OwnBoard(layout, known, px_per_mm=PX_PER_MM, standing=standing) if locator else None
        self._pieces: OwnBoard | PieceReader = self._own or PieceReader(layout, known, px_per_mm=PX_PER_MM)
        self._hands = HandWatch(layout, self._pieces)
        place = Place.of(layout)
        self._thrown = ThrowWatch(place, throw_reader or ThrowReader(needs)) if place else None
        self.located: Located | None = None
        """Where the board was seen last."""
        self.refusal: Refusal | None = None
        """Why there is no board; None while it is found."""
        self._size_px = (0, 0)
        self._searched_at = self._tags_at = self._lit_at = self._boards_at = -np.inf
        self._outside: tuple[Polygon, ...] | None = None
        self._settled: Located | None = None
        self._boards: deque[CellsSeen] = deque(maxlen=KEPT_FRAMES)
        self._board = BoardSeen({})
        self._light_changed = self._light_stepped = False
        self._seeing: tuple[Plight, ...] = ()
        """What spoilt the picture when the table last rested."""

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
        hand = self._hands.see(sheet, self.located, motion, found=found, lit=lit, at=at)
        state = self._state(motion, found, hand, lit, at)
        if self._thrown and (state != "rest" or not self._boards):
            self._thrown.look(image, self.located, found=found)
        plights, moved_mm = self._plights(sheet, state), self._moved_mm()
        if state != "rest" or not BLINDING.isdisjoint(plights):
            self._clear()
            return self._observation(at, state, plights, moved_mm)
        self._settled = self.located
        if self._own and not self._own.rest(sheet, self.located):
            # Of a board that nobody has seen empty yet nothing can be told, however still it lies.
            return self._observation(at, "settling", plights, moved_mm)
        self._read(image, sheet, at)
        if self._boards[-1].glare:
            plights = (*plights, "glare")
        return self._observation(at, state, plights, moved_mm)

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
            throw=self._thrown.throw if self._thrown and self._boards else None,
            field=pairs(self.located.project(self._layout.field.corners_mm)),
        )

    def _locate(self, image: Image, at: float) -> bool:
        """Follow or search the board; whether it was seen."""
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

    def _state(self, motion: Motion, found: bool, hand: bool, lit: bool, at: float) -> TableState:
        if not found and at - self._tags_at >= (LOST_UNDER_HAND_S if hand else LOST_S):
            return "lost"
        if hand:
            return "hand"
        if motion.moving or not found:
            return "moving"
        return "rest" if motion.at_rest and not motion.light_step and not lit else "settling"

    def _plights(self, sheet: Image, state: TableState) -> tuple[Plight, ...]:
        """What is wrong with the table as a whole."""
        assert self.located is not None
        bumped = state != "rest" and self._moved_mm() > BUMP * self._cell_mm
        plights: dict[Plight, bool] = {
            "hand": state == "hand",
            "board moved": state == "lost" or bumped,
        }
        told = tuple(plight for plight, there in plights.items() if there)
        if state == "rest":  # else a sleeve that covers the sheet is a dark room
            printed = self._own is None
            self._seeing = picture_plights(sheet, self.located.blur_px, printed=printed, before=self._seeing)
        return (*told, *self._seeing)

    def _moved_mm(self) -> float:
        """How far the board lies from where it last lay at rest."""
        return self.located.moved_mm(self._settled) if self.located and self._settled else 0.0

    def _clear(self) -> None:
        """The table does not rest, or its light is too little or too much: what was seen of the last rest is gone."""
        self._boards.clear()
        if self._thrown:
            self._thrown.clear()
        if self._own:
            self._own.clear()

    def _read(self, image: Image, sheet: Image, at: float) -> None:
        """Read the next frame of a rest."""
        assert self.located is not None
        if len(self._boards) < KEPT_FRAMES or at - self._boards_at >= AGAIN_S:
            self._boards.append(self._pieces.read(sheet, self.located))
            self._boards_at = at
            self._board = BoardSeen(together([seen.cells for seen in self._boards]))
        begins = len(self._boards) == 1
        if begins:
            self._hands.accept(sheet, self._boards[-1].standing)
        if self._thrown:
            self._thrown.rest(image, self.located, begins=begins)

    def _observation(self, at: float, state: TableState, plights: tuple[Plight, ...], moved_mm: float) -> Observation:
        known = state == "rest" and len(self._boards) >= REST_FRAMES
        if self._own and not self._own.known:
            plights = (*plights, "learning")
        return Observation(
            taken_at=at,
            state=state,
            throw=self._thrown.throw if self._thrown and known else None,
            board=self._board if known else None,
            place_empty=self._thrown is not None and self._thrown.empty and state != "lost",
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
