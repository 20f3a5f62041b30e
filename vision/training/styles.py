"""What beans, dice and the things beside them are made of, drawn at random."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.solids import Bean, Colour, Die
from vision.training.surfaces import tint

BEAN_COLOURS: tuple[Colour, ...] = (
    (0.012, 0.011, 0.012),
    (0.14, 0.012, 0.012),
    (0.07, 0.01, 0.01),
    (0.22, 0.07, 0.03),
    (0.45, 0.25, 0.12),
    (0.72, 0.62, 0.45),
    (0.85, 0.8, 0.68),
    (0.3, 0.14, 0.06),
    (0.32, 0.36, 0.16),
    (0.55, 0.33, 0.25),
)


SWIRL_TELLS = 1.2
"""Logarithm of brightness by which a die's second colour differs from its pips."""


ALIKE, THROWN_ALIKE = 0.5, 0.88
"""How often the beans of a picture are of one sort: in one that shows much at once, and in a throw."""
SIZE_SPREAD = 0.05
"""Deviation of the logarithm of length within one throw."""


def half_lengths(rng: Generator, between_mm: tuple[float, float], thrown: bool) -> Callable[[], float]:
    """Half lengths in mm, each its own or, where ``thrown``, all about one."""
    if not thrown:
        return lambda: float(rng.uniform(*between_mm))
    about = rng.uniform(*between_mm)
    return lambda: float(about * np.exp(rng.normal(0, SIZE_SPREAD)))


def bean_style(rng: Generator, thrown: bool = False) -> Callable[[], Bean]:
    """Beans of one handful: of one sort, or each its own."""

    def draw() -> Bean:
        base = np.asarray(BEAN_COLOURS[int(rng.integers(len(BEAN_COLOURS)))]) * np.exp(rng.normal(0, 0.2, 3))
        dark = base.mean() < 0.3
        speckle = (base + 0.07 if dark else base * rng.uniform(0.45, 0.8)) if rng.random() < 0.15 else None
        drilled = bool(rng.random() < 0.35)
        if rng.random() < 0.3:
            # A felt pen, nail polish, paint: any colour that is at hand.
            mark: NDArray[np.floating] = np.asarray(tint(rng, 0.1, 0.9, 1.0), np.float64)
        elif dark:
            mark = np.asarray([0.85, 0.83, 0.78]) * rng.uniform(0.45, 1.1)
        else:
            mark = np.asarray([0.03, 0.025, 0.02]) * rng.uniform(0.5, 4)
        mark = _telling(mark, base, 4.0)
        hilum = (np.asarray([0.8, 0.75, 0.65]) if dark else base * 0.5) if rng.random() < 0.4 else None
        # Most are kidney or oval beans; the round ones are soya and chick peas.
        width = rng.uniform(0.5, 0.75) if rng.random() < 0.7 else rng.uniform(0.5, 0.97)
        return Bean(
            width=width,
            thickness=width * rng.uniform(0.4, 0.9) if thrown else rng.uniform(0.3, width),
            bend=rng.choice([0, 1], p=[0.35, 0.65]) * rng.uniform(0.05, 0.38),
            power=rng.uniform(1.9, 2.7),
            base=_colour(base),
            speckle=None if speckle is None else _colour(speckle),
            mark=_colour(mark),
            mark_radius=rng.uniform(0.15, 0.4),
            drilled=drilled,
            hilum=None if hilum is None else _colour(hilum),
            gloss=rng.uniform(0, 0.5) if rng.random() < 0.5 else rng.uniform(0.4, 1.2),
            sharpness=float(np.exp(rng.uniform(1.6, 5.6))),
            bumps=rng.choice([0, 1]) * rng.uniform(0, 0.15),
            seed=int(rng.integers(1 << 30)),
        )

    if rng.random() > (THROWN_ALIKE if thrown else ALIKE):
        return draw
    fixed = draw()
    return lambda: _vary_bean(fixed, rng)


def _vary_bean(bean: Bean, rng: Generator) -> Bean:
    factor = np.exp(rng.normal(0, 0.06, 4))
    return Bean(
        width=bean.width * factor[0],
        thickness=bean.thickness * factor[1],
        bend=bean.bend * factor[2],
        power=bean.power,
        base=_colour(np.asarray(bean.base) * factor[3]),
        speckle=bean.speckle,
        mark=bean.mark,
        mark_radius=bean.mark_radius * rng.uniform(0.8, 1.2),
        drilled=bean.drilled,
        hilum=bean.hilum,
        gloss=bean.gloss,
        sharpness=bean.sharpness,
        bumps=bean.bumps,
        seed=int(rng.integers(1 << 30)),
    )


def die_style(rng: Generator) -> Callable[[], Die]:
    """Dice of one throw: all alike or each its own."""

    def draw() -> Die:
        kind = rng.random()
        if kind < 0.4:
            base = np.asarray([0.85, 0.83, 0.78]) * rng.uniform(0.6, 1.15) * np.asarray([1, 1, rng.uniform(0.6, 1.05)])
        elif kind < 0.52:
            base = np.full(3, rng.uniform(0.01, 0.06))
        elif kind < 0.62:
            base = np.asarray([0.5, 0.3, 0.13]) * rng.uniform(0.4, 1.3)
        else:
            base = np.asarray(tint(rng, 0.05, 0.8, 1.0)) * np.asarray([1, 1, 1])
        dark_pips = base.mean() > 0.35 or (base.mean() > 0.2 and rng.random() < 0.4)
        pip = np.full(3, rng.uniform(0.01, 0.08)) if dark_pips else np.full(3, rng.uniform(0.55, 0.95))
        if rng.random() < 0.12:
            pip = np.asarray([0.75, 0.55, 0.15]) if not dark_pips else np.asarray(tint(rng, 0.02, 0.15, 1.0))
        pip = _telling(pip, base, 3.0)
        one = _telling(np.asarray([0.5, 0.02, 0.02]), base, 2.0) if dark_pips and rng.random() < 0.25 else pip
        first, second, third = rng.permutation([1, 2, 3])
        flip = rng.random(3) < 0.5
        pairs = [(v, 7 - v) if not f else (7 - v, v) for v, f in zip((first, second, third), flip, strict=True)]
        faces = tuple(int(v) for pair in pairs for v in pair)
        assert len(faces) == 6
        return Die(
            faces=faces,
            rounding=float(np.exp(rng.uniform(np.log(0.05), np.log(0.5)))),
            base=_colour(base),
            pip=_colour(pip),
            one=_colour(one),
            pip_radius=rng.uniform(0.13, 0.24),
            pip_spread=rng.uniform(0.4, 0.56),
            drilled=rng.choice([0, 1]) * rng.uniform(0.2, 1.2),
            translucent=rng.choice([0, 1], p=[0.75, 0.25]) * rng.uniform(0.2, 0.9),
            gloss=rng.uniform(0, 0.7),
            sharpness=float(np.exp(rng.uniform(1.6, 5.0))),
            worn=rng.choice([0, 1]) * rng.uniform(0, 0.45),
            marbling=rng.choice([0, 1], p=[0.75, 0.25]) * rng.uniform(0, 0.35),
            swirl=_swirl(rng, pip) if rng.random() < 0.25 else None,
            seed=int(rng.integers(1 << 30)),
        )

    if rng.random() < 0.55:
        return draw
    fixed = draw()
    return lambda: fixed


def _swirl(rng: Generator, pip: NDArray[np.floating]) -> Colour | None:
    """A second colour upon which the pips can still be counted, if one is found."""
    for _ in range(10):
        other = tint(rng, 0.02, 0.8, 1.0)
        if abs(np.log(max(float(other.mean()), 0.02) / max(float(pip.mean()), 0.02))) > SWIRL_TELLS:
            return _colour(other)
    return None


def crumb(rng: Generator) -> tuple[Bean, float]:
    """Something smaller than any bean: the solid and its half length in mm."""
    solid, _, _ = distractor(rng)
    return replace(solid, width=rng.uniform(0.5, 1), thickness=rng.uniform(0.3, 0.8)), float(rng.uniform(0.4, 2.2))


def distractor(rng: Generator) -> tuple[Bean, float, bool]:
    """A pebble, coin, counter, pen or cup: the solid, its half length in mm, whether its top is painted."""
    kind = str(rng.choice(["pebble", "coin", "counter", "stick", "cup"], p=[0.3, 0.2, 0.24, 0.14, 0.12]))
    lengths = {"pebble": (6, 16), "coin": (8, 14), "counter": (6, 13), "stick": (40, 90), "cup": (35, 60)}
    base = np.asarray([0.55, 0.3, 0.2]) if rng.random() < 0.3 else np.asarray(tint(rng, 0.03, 0.8, 1.0), np.float64)
    width, thickness, power = 1.0, 0.3, 2.0
    if kind == "pebble":
        base = np.asarray(tint(rng, 0.08, 0.9, 0.25), np.float64)
        width, thickness = rng.uniform(0.65, 1), rng.uniform(0.5, 0.9)
    elif kind == "coin":
        base, thickness = np.asarray([0.5, 0.42, 0.3]) * rng.uniform(0.4, 1.4), 0.1
    elif kind == "counter":
        base, thickness = np.asarray(tint(rng, 0.05, 0.8, 1.0), np.float64), rng.uniform(0.12, 0.25)
    elif kind == "stick":
        width, thickness, power = rng.uniform(0.08, 0.2), 0.15, 6.0
    solid = Bean(
        width=width,
        thickness=thickness,
        bend=0.0,
        power=power,
        base=_colour(base),
        # A smooth pebble of one colour is a plain bean to any eye: calling it something else would only teach doubt.
        speckle=_colour(base * rng.uniform(0.35, 0.7)) if kind == "pebble" and rng.random() < 0.8 else None,
        mark=_colour(base * rng.uniform(0.3, 1.5)),
        mark_radius=rng.uniform(0.4, 0.8),
        drilled=False,
        hilum=None,
        gloss=rng.uniform(0, 0.08) if kind == "pebble" else rng.uniform(0.1, 0.9),
        sharpness=float(np.exp(rng.uniform(1.5, 4.5))),
        bumps=rng.uniform(0.25, 0.55) if kind == "pebble" else rng.uniform(0.1, 0.4) if kind == "coin" else 0.0,
        seed=int(rng.integers(1 << 30)),
    )
    ringed = kind in ("coin", "cup") or (kind == "counter" and bool(rng.random() < 0.5))
    return solid, rng.uniform(*lengths[kind]), ringed


def _telling(ink: NDArray[np.floating], base: NDArray[np.floating], ratio: float) -> NDArray[np.floating]:
    """The ink, made lighter or darker until it differs from the base as much as a person would choose it to.

    A red dot on a brown bean is as bright as the bean: to the eye its colour is enough.
    """
    one, two = (np.log(np.maximum(colour, 0.004)) for colour in (ink, base))
    if np.hypot(*np.diff(one - two)) > 1.1:
        return ink
    lightness, ground = max(float(ink.mean()), 0.004), max(float(base.mean()), 0.004)
    if lightness > ground:
        wanted = max(lightness, ground * ratio)
        if wanted <= 0.95:
            return ink * (wanted / lightness)
    return ink * (min(lightness, ground / ratio) / lightness)


def _colour(values: NDArray[np.floating]) -> Colour:
    red, green, blue = (float(v) for v in np.clip(values, 0.003, 1))
    return red, green, blue
