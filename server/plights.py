"""Why no throw can be told and no board found, in the words of the commands; the pages have theirs in server/i18n."""

from referee.observation import ThrowSeen
from vision.throws import NEEDED_PX

WORDS = {
    "leaning": "one leans",
    "stacked": "one lies on another",
    "touching": "they touch",
    "held": "one may not lie flat, so close to something else",
    "missing": "not all are seen",
    "extra": "something else may lie there, clear the place or name it with --area",
    "glare": "too bright a reflection",
    "hand": "a hand is in the way",
    "dark": "too dark",
    "bright": "too bright, dim the light or lower the camera's exposure",
    "blurred": "not clear enough to be sure, focus the camera or bring it nearer",
    "small": "too small, bring the camera nearer",
}
NO_BOARD = {
    "no board": "no chessboard is found; take the picture from above, with all its squares in it",
    "no tags": "no board is found; take the picture with its square tags in sight, or show its corners with --corners",
    "few tags": "only some of the board's square tags are seen; uncover them, and leave their white edges on",
    "mirrored": "the picture is mirrored; switch that off in the camera's settings",
    "other board": "that is the board of another game; name it with --board",
    "two boards": "there are two boards in the picture; leave one, or take the picture nearer to it",
    "bent": "the board does not lie flat; smooth it out",
    "cut off": "the board is cut off; take the picture with all of it in sight",
    "no corners": "this board has no tags to find it by; show its corners with --corners",
    "out of sight": "the board is not where --empty shows it; take both pictures from the same place",
}


def in_words(seen: ThrowSeen) -> str:
    """The plights of a throw, each with what helps; empty where there are none."""
    return ", ".join(_word(plight, seen) for plight in seen.plights)


def _word(plight: str, seen: ThrowSeen) -> str:
    if plight != "small" or not seen.length_px:
        return WORDS.get(plight, plight)
    what = "a bean" if seen.kind == "beans" else "a die"
    return f"{WORDS['small']}: {what} is {int(seen.length_px)} px long, {NEEDED_PX[seen.kind]:.0f} are needed"
