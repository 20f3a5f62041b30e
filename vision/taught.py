"""What a table's own beans or dice have taught the reader, from a few throws whose value people confirmed.

Only which face shows is weighed anew. Whether something is a bean at all and lies flat stays as the net says: throws
that count show no example of the contrary.

Sources: the correction is multinomial logistic regression beside fixed logits, fitted by the bound of Boehning,
Multinomial logistic regression algorithm (1992); the faces of single beans, of which only the count is known, are its
hidden variables (Dempster, Laird and Rubin, Maximum Likelihood from Incomplete Data, 1977).
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee.observation import ThrowSeen
from referee.rules import Needs
from referee.throws import Beans, Throw
from vision import beans, dice
from vision.camera import Image
from vision.finder import MODELS, Found
from vision.judge import Judge, Judgement, Judges
from vision.throws import ThrowReader

Kind = Literal["beans", "dice"]
Floats = NDArray[np.float64]
FACES: dict[Kind, int] = {"beans": 2, "dice": 6}
"""The judge's first classes; all further ones are left alone."""
SHARPEN = 0.3
"""How much the net's own opinion weighs beside its features: a set may be clearer, or less clear, than most."""
PENALTY = 0.1
"""Inverse variance of a weight before anything was taught; set on rendered sets, see vision/models/CARD.md."""
ROUNDS, STEPS = 8, 40
"""How often the hidden faces are weighed again, and steps of the fit in between."""
LEAST = 1e-9


@dataclass(frozen=True, slots=True)
class Taught:
    """A correction of the judge's logits for one set of beans or dice."""

    kind: Kind
    weights: Floats
    """Shape (faces, FEATURES + faces + 1): of the features, of the net's own opinion, and a bias."""

    def judgement(self, judgement: Judgement) -> Judgement:
        """The same object, judged as taught: the faces share anew what probability they had together."""
        temperature, faces = _faces(self.kind, judgement)
        together = _log_sum(faces)
        moved = faces + self.weights @ _inputs(judgement.features, faces - together)
        shared = temperature * (moved - _log_sum(moved) + together)
        return replace(judgement, logits=np.concatenate([shared, judgement.logits[len(faces) :]]).astype(np.float32))


@dataclass(frozen=True, slots=True)
class Lesson:
    """One confirmed throw, all of whose beans or dice were found."""

    log_chances: Floats
    """For each thing the logarithm of each face's probability, if it lies flat; shape (things, faces)."""
    inputs: Floats
    """Shape (things, FEATURES + faces + 1)."""
    counts: tuple[int, ...]
    """How many show each face, as people confirmed."""


class TaughtJudge:
    """A judge that was taught."""

    def __init__(self, taught: Taught, judge: Judges | None = None) -> None:
        self._taught = taught
        self._judge = judge or Judge(taught.kind)

    def judge(self, image: Image, things: Sequence[Found]) -> tuple[Judgement, ...]:
        """One judgement for each thing, in order."""
        return tuple(self._taught.judgement(judgement) for judgement in self._judge.judge(image, things))


def net_of(kind: Kind) -> str:
    """Which nets judge that kind now: what was taught to another is worth nothing."""
    nets = [path for name in (kind, f"{kind}_together") if (path := MODELS / f"{name}.onnx").exists()]
    return hashlib.sha256(b"".join(path.read_bytes() for path in nets)).hexdigest()[:16]


def taught_reader(needs: Needs | None, taught: Sequence[Taught]) -> ThrowReader | None:
    """A reader of throws that knows what it was taught; None, where that is nothing: the usual one will do."""
    judges = {one.kind: TaughtJudge(one) for one in taught}
    return ThrowReader(needs, beans=judges.get("beans"), dice=judges.get("dice")) if judges else None


class Teacher:
    """Reads confirmed throws as the untaught reader sees them. Not safe for several threads at a time."""

    def __init__(self, needs: Needs) -> None:
        """Args: needs: beans alone or dice alone."""
        self._kind: Kind = "beans" if needs.beans else "dice"
        self._judge = _Listening(Judge(self._kind))
        self._reader = ThrowReader(needs, **{self._kind: self._judge})

    def read(self, image: Image, throw: Throw) -> tuple[ThrowSeen, Lesson | None]:
        """One picture as it is read untaught, and what can be learnt from it once the throw is known.

        Returns:
            The reading; and the lesson, None where not just the things thrown were found.
        """
        counts = counts_of(throw)
        self._judge.heard = ()
        seen = self._reader.read([image])
        spots = [bean.centre_px for bean in seen.beans]
        spots += [(die.box_px[0] + die.box_px[2] / 2, die.box_px[1] + die.box_px[3] / 2) for die in seen.dice]
        if seen.kind != self._kind or len(spots) != sum(counts):
            return seen, None
        return seen, lesson_of([self._judge.nearest(spot) for spot in spots], self._kind, counts)


class _Listening:
    """A judge that remembers what it said last."""

    def __init__(self, judge: Judges) -> None:
        self._judge = judge
        self.heard: tuple[Judgement, ...] = ()

    def judge(self, image: Image, things: Sequence[Found]) -> tuple[Judgement, ...]:
        self.heard = self._judge.judge(image, things)
        return self.heard

    def nearest(self, spot: tuple[float, float]) -> Judgement:
        return min(self.heard, key=lambda heard: np.hypot(*np.subtract(heard.found.centre_px, spot)))


def counts_of(throw: Throw) -> tuple[int, ...]:
    """How many show each face, in the order of the judge's classes."""
    if isinstance(throw, Beans):
        return throw.marks, throw.count - throw.marks
    return tuple(throw.values.count(face) for face in range(1, 7))


def lesson_of(judgements: Sequence[Judgement], kind: Kind, counts: tuple[int, ...]) -> Lesson:
    """A throw's lesson from what the untaught judge says of each of its things."""
    faces = np.stack([_faces(kind, judgement)[1] for judgement in judgements])
    chances = faces - _log_sum(faces)
    inputs = [_inputs(judgement.features, own) for judgement, own in zip(judgements, chances, strict=True)]
    return Lesson(chances, np.stack(inputs), counts)


def learn(kind: Kind, lessons: Sequence[Lesson], penalty: float = PENALTY) -> Taught:
    """Fit the correction that makes the confirmed counts likeliest, near none.

    Args:
        kind: what was thrown.
        lessons: at least one.
        penalty: the stronger, the less is believed against the net.
    """
    inputs = np.concatenate([lesson.inputs for lesson in lessons])
    given = np.concatenate([lesson.log_chances for lesson in lessons])
    ends = np.cumsum([len(lesson.inputs) for lesson in lessons])[:-1]
    weights = np.zeros((FACES[kind], inputs.shape[1]))
    # Rows sum to zero throughout, and on such weights half the inputs' scatter bounds the curvature from above.
    step = np.linalg.inv(0.5 * inputs.T @ inputs + penalty * np.eye(inputs.shape[1]))
    for _ in range(ROUNDS):
        chances = np.split(_chances(given, inputs, weights), ends)
        hidden = np.concatenate(
            [hidden_faces(now, lesson.counts)[0] for now, lesson in zip(chances, lessons, strict=True)]
        )
        for _ in range(STEPS):
            slope = (hidden - _chances(given, inputs, weights)).T @ inputs - penalty * weights
            weights = weights + slope @ step
    return Taught(kind, weights)


def log_likelihood(lesson: Lesson, taught: Taught | None = None) -> float:
    """Logarithm of the probability that just the confirmed number shows each face."""
    weights = taught.weights if taught else np.zeros((len(lesson.counts), lesson.inputs.shape[1]))
    return hidden_faces(_chances(lesson.log_chances, lesson.inputs, weights), lesson.counts)[1]


def hidden_faces(chances: Floats, counts: tuple[int, ...]) -> tuple[Floats, float]:
    """Which thing shows which face, when it is known how many show each.

    Args:
        chances: for each of independent things the probability of each face, shape (things, faces).
        counts: how many show each face; they sum to the number of things.

    Returns:
        The same probabilities given the counts, and the logarithm of the counts' own probability.
    """
    chances = np.maximum(chances, LEAST)
    # Over how many of the things so far, or still to come, show each face: forward and backward sums.
    before, after = np.zeros([count + 1 for count in counts]), np.zeros([count + 1 for count in counts])
    before.flat[0] = after.flat[-1] = 1.0
    forward, backward = [before], [after]
    for one, last in zip(chances, chances[::-1], strict=True):
        forward.append(_sum(one, [_one_more(forward[-1], face) for face in range(len(counts))]))
        backward.append(_sum(last, [_one_less(backward[-1], face) for face in range(len(counts))]))
    given = np.array(
        [
            [p * float((before * _one_less(after, face)).sum()) for face, p in enumerate(one)]
            for one, before, after in zip(chances, forward, backward[-2::-1], strict=False)
        ]
    )
    return given / given.sum(axis=1, keepdims=True), float(np.log(forward[-1].flat[-1]))


def _sum(chances: Floats, tables: Sequence[Floats]) -> Floats:
    return np.asarray(np.sum([chance * table for chance, table in zip(chances, tables, strict=True)], axis=0))


def _one_more(table: Floats, face: int) -> Floats:
    moved = np.zeros_like(table)
    np.moveaxis(moved, face, 0)[1:] = np.moveaxis(table, face, 0)[:-1]
    return moved


def _one_less(table: Floats, face: int) -> Floats:
    moved = np.zeros_like(table)
    np.moveaxis(moved, face, 0)[:-1] = np.moveaxis(table, face, 0)[1:]
    return moved


def _chances(log_chances: Floats, inputs: Floats, weights: Floats) -> Floats:
    moved = log_chances + inputs @ weights.T
    return np.exp(moved - _log_sum(moved))


def _faces(kind: Kind, judgement: Judgement) -> tuple[float, Floats]:
    """The judge's temperature, and its logits of the faces at that temperature."""
    temperature = {"beans": beans.TEMPERATURE, "dice": dice.TEMPERATURE}[kind]
    return temperature, np.asarray(judgement.logits[: FACES[kind]], np.float64) / temperature


def _inputs(features: NDArray[np.float32], log_chances: Floats) -> Floats:
    """What the correction is linear in: features of length 1, so that contrast weighs nothing, the net's opinion, 1."""
    length = max(float(np.linalg.norm(features)), LEAST)
    return np.concatenate([features / length, SHARPEN * (log_chances - log_chances.mean()), [1.0]])


def _log_sum(values: Floats) -> Floats:
    top = values.max(axis=-1, keepdims=True)
    return np.asarray(top + np.log(np.exp(values - top).sum(axis=-1, keepdims=True)))
