"""``python -m vision.training.report``: how right and how honest the reader is, per source, trained on or held out.

Reads the labelled pictures in ``../shared/data`` through the code that ``macuil read`` runs.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.fairness import wilson
from referee.observation import ThrowSeen
from referee.rules import Needs
from vision.throws import ThrowReader
from vision.training.photographs import Photograph, photographs

NEAR_PX_PER_CM = 16.0
"""From which a bean is some 27 px long; further away a reading may be refused."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One picture read."""

    photo: Photograph
    seen: ThrowSeen
    ms: float

    @property
    def right(self) -> bool:
        """The whole throw is as the truth says, whatever the certainty; a mixed place is right when not certain."""
        truth = self.photo
        if truth.kind == "mixed":
            return not self.seen.certain
        if truth.kind == "empty":
            return self.seen.kind == "none"
        if truth.kind == "dice":
            return tuple(sorted(die.value or 0 for die in self.seen.dice)) == truth.dice
        marked = sum(face == "marked" for face in truth.beans)
        return len(self.seen.beans) == len(truth.beans) and self.seen.marked == marked

    @property
    def matched(self) -> tuple[int, int]:
        """How many things were told rightly, where they lie with their face; and how many were told and lie there."""
        told = [(bean.centre_px, str(bean.face)) for bean in self.seen.beans]
        told += [((d.box_px[0] + d.box_px[2] / 2, d.box_px[1] + d.box_px[3] / 2), str(d.value)) for d in self.seen.dice]
        truth = [thing for thing in self.photo.things if thing.kind != "other" and thing.label != "askew"]
        right = 0
        for thing in truth:
            for centre, face in told:
                if face == thing.label and np.hypot(*np.subtract(centre, thing.centre_px)) < 0.6 * thing.size_px:
                    told.remove((centre, face))
                    right += 1
                    break
        return right, len(self.seen.beans) + len(self.seen.dice) + len(truth)

    @property
    def wrong_certain(self) -> bool:
        """The worst fault: booked and wrong, or booked although something lay askew."""
        booked_nothing = self.seen.kind == "none" and self.photo.kind not in ("empty", "mixed")
        return self.seen.certain and (not self.right or not self.photo.clean or booked_nothing)


def read_all(photos: Sequence[Photograph], expect: bool) -> list[Outcome]:
    """Read each picture by itself, with or without being told what was thrown."""
    readers: dict[Needs | None, ThrowReader] = {}
    outcomes = []
    for photo in photos:
        needs = _needs(photo) if expect else None
        reader = readers.setdefault(needs, ThrowReader(needs))
        start = time.perf_counter()
        image = photo.scene().image
        seen = reader.read([image], _upright(photo.area_px))
        outcomes.append(Outcome(photo, seen, (time.perf_counter() - start) * 1000))
    return outcomes


def table(outcomes: Sequence[Outcome]) -> str:
    """One row a source, as a Markdown table."""
    groups: dict[tuple[str, str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        photo = outcome.photo
        split = {"train": "trained on", "calibrate": "calibrated on"}.get(photo.split, photo.split)
        kind = f"{photo.kind}, too far away" if photo.px_per_cm and photo.px_per_cm < NEAR_PX_PER_CM else photo.kind
        kind = kind if photo.clean or photo.kind == "mixed" else f"{photo.kind}, some askew"
        groups[kind, split, photo.group].append(outcome)
        groups[kind, split, "all"].append(outcome)
    rows = ["| thrown | source | use | n | right | F1 | certain | wrong while certain |", "|" + "---|" * 8]
    for kind, split, group in sorted(groups):
        some = groups[kind, split, group]
        matched = np.sum([outcome.matched for outcome in some], axis=0)
        cells = [_share([o.right for o in some]), f"{2 * matched[0] / max(matched[1], 1):.3f}"]
        cells += [_share([o.seen.certain for o in some]), _share([o.wrong_certain for o in some])]
        rows.append(f"| {kind} | {group} | {split} | {len(some)} | {' | '.join(cells)} |")
    rows.append(f"\nmedian {median(o.ms for o in outcomes):.0f} ms a picture, decoding included")
    return "\n".join(rows)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--auto", action="store_true", help="do not tell the reader what was thrown")
    parser.add_argument("--faults", action="store_true", help="name each picture read wrong or not certain")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    photos = photographs()
    if not photos:
        raise SystemExit("no labelled pictures: ../shared/data is missing")
    outcomes = read_all(photos, not options.auto)
    print(table(outcomes))
    for outcome in outcomes:
        if options.faults and (outcome.wrong_certain or not outcome.right or not outcome.seen.certain):
            print(_fault(outcome))


def _needs(photo: Photograph) -> Needs | None:
    if photo.kind == "beans":
        return Needs(beans=len(photo.beans))
    return Needs(dice=len(photo.dice)) if photo.kind == "dice" else None


def _upright(area_px: NDArray[np.float32] | None) -> NDArray[np.float32] | None:
    """The box around the place, as ``--area`` takes it."""
    if area_px is None:
        return None
    (x0, y0), (x1, y1) = area_px.min(0), area_px.max(0)
    return np.asarray([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def _share(hits: list[bool]) -> str:
    share = wilson(sum(hits), len(hits))
    return f"{share.seen:.1%} ({share.low:.1%}-{share.high:.1%})"


def _fault(outcome: Outcome) -> str:
    photo, seen = outcome.photo, outcome.seen
    truth = f"{photo.beans.count('marked')}/{len(photo.beans)}" if photo.kind == "beans" else f"{photo.dice}"
    read = f"{seen.marked}/{len(seen.beans)}" if seen.kind == "beans" else f"{[d.value for d in seen.dice]}"
    fault = "WRONG" if outcome.wrong_certain else "wrong" if not outcome.right else "asked"
    return f"{fault:6}{photo.path.name} {photo.group} {photo.split}: {truth} read {seen.kind} {read} {seen.plights}"


if __name__ == "__main__":
    main()
