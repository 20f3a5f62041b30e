"""Why a throw cannot be told, in the words of the commands; the pages have their own in server/i18n."""

from referee.observation import ThrowSeen
from vision.throws import NEEDED_PX

WORDS = {
    "leaning": "one leans",
    "stacked": "one lies on another",
    "touching": "they touch",
    "missing": "not all are seen",
    "extra": "something else may lie there, clear the place or name it with --area",
    "glare": "too bright a reflection",
    "hand": "a hand is in the way",
    "dark": "too dark",
    "blurred": "the picture is blurred",
    "small": "too small, bring the camera nearer",
}


def in_words(seen: ThrowSeen) -> str:
    """The plights of a throw, each with what helps; empty where there are none."""
    return ", ".join(_word(plight, seen) for plight in seen.plights)


def _word(plight: str, seen: ThrowSeen) -> str:
    if plight != "small" or not seen.length_px:
        return WORDS.get(plight, plight)
    what = "a bean" if seen.kind == "beans" else "a die"
    return f"{WORDS['small']}: {what} is {seen.length_px:.0f} px long, {NEEDED_PX[seen.kind]:.0f} are needed"
