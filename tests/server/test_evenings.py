"""Many evenings: drawn from their numbers, played side by side, added up."""

import multiprocessing
import signal
import sys
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from calibration.inks import SEATS
from referee import match as matches
from server import evenings
from server.evenings import LONGEST, PRESETS, Plays, Report, Totals, drawn, play_all
from tests.server import short


def reports(plays: Plays, seeds: list[int], *, processes: int = 2, whole: bool = False) -> list[Report]:
    found = play_all(seeds, whole=whole, processes=processes, plays=plays, at_play=lambda bookings: None)
    return sorted(found, key=lambda report: report.seed)


@pytest.mark.parametrize("seed", [0, 5, 117])
def test_a_seed_is_one_evening(seed: int) -> None:
    assert drawn(seed) == drawn(seed)
    assert drawn(seed) != drawn(seed + len(PRESETS))


def test_evenings_are_of_every_game_preset_and_number_of_players_and_none_is_like_another() -> None:
    evenings = [drawn(seed) for seed in range(120)]
    assert {(evening.started.game, evening.started.preset) for evening in evenings} == {*PRESETS}
    assert {len(evening.started.seats) for evening in evenings} == {2, 3, 4}
    assert {seat for evening in evenings for seat in evening.started.seats} == {*SEATS}
    assert {evening.longest for evening in evenings} == {LONGEST}
    assert {evening.clumsiness.illegal for evening in evenings} == {0.05}
    assert len({evening.conditions for evening in evenings}) == 120
    kinds = {(evening.started.game, evening.conditions.pieces) for evening in evenings if evening.conditions}
    assert kinds >= {(game, kind) for game in ("patolli", "ludo", "ur") for kind in ("pebble", "draught")}
    rows = {evening.layout.triangle_rows for evening in evenings if evening.layout and evening.started.stakes}
    assert len(rows) > 5
    for evening in evenings:
        assert evening.layout is not None
        assert evening.layout.game == matches.begin(evening.started).game.name


def test_the_printed_triangles_are_those_of_the_rules() -> None:
    evening = next(drawn(seed) for seed in range(100) if drawn(seed).started.options)
    assert evening.layout is not None
    rows = evening.layout.triangle_rows
    assert evening.started.options == {"triangle_rows": list(rows)}
    assert {cell.row for cell in evening.layout.cells if cell.kind == "triangle"} == {*rows}


def test_whole_evenings_have_no_limit() -> None:
    assert drawn(3, whole=True).longest is None


def test_evenings_are_played_side_by_side_and_told_as_they_go_on() -> None:
    heard: list[Mapping[int, int]] = []
    found = play_all(
        range(1, 4), whole=True, processes=2, plays=short.told, at_play=lambda bookings: heard.append(dict(bookings))
    )
    played = {report.seed: report.played for report in found}
    assert played == {seed: short.told(seed, True, lambda booked: None) for seed in (1, 2, 3)}
    assert heard[0] == {1: 0, 2: 0}
    assert max(map(len, heard)) == 2
    assert {seed: booked for bookings in heard for seed, booked in bookings.items()} == {1: 8, 2: 9, 3: 10}


def test_an_evening_that_breaks_is_told_and_the_others_go_on() -> None:
    broken, died = reports(short.breaking, [2, 3])
    assert (broken.failure, died.failure) == (
        "LookupError: nothing stands on 2",
        "its process died with exit code 7",
    )
    assert broken.broke.startswith("Traceback")


def test_whoever_interrupts_leaves_no_process_behind() -> None:
    def interrupt(bookings: Mapping[int, int]) -> None:
        if 1 in bookings.values():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(play_all(range(9), whole=False, processes=2, plays=short.endless, at_play=interrupt))
    assert multiprocessing.active_children() == []


def test_totals_add_up() -> None:
    played = [Report(seed, short.told(seed, False, lambda booked: None)) for seed in range(1, 8)]
    assert [report.failure for report in played] == [
        "",
        "",
        "",
        "",
        "stuck at 60 s, unasked",
        "the journal ends in another position than the table",
        "the stakes do not add up",
    ]
    assert Totals.of([*played, Report(8, None, "OSError: full")]) == Totals(
        evenings=8,
        to_the_end=0,
        stopped=4,
        failed=(5, 6, 7, 8),
        wrong_bookings=2,
        questions_mean=0.14,
        questions_worst=1,
        illegal_made=14,
        illegal_named=13,
        bookings=280,
        throws=84,
        table_hours=0.12,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is a POSIX signal here")
def test_ctrl_c_never_breaks_off_the_start_of_a_process_whichever_thread_is_handed_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half-started, it had ended with a traceback of its own."""
    heeded = signal.signal(signal.SIGINT, signal.default_int_handler)
    started = []
    begin, now = evenings._begin, threading.Event()

    def press() -> None:
        now.wait()
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    other = threading.Thread(target=press)
    other.start()  # as early as those of the libraries: later, it would be as deaf as what is started

    def interrupted(*args: Any) -> Any:
        now.set()
        other.join()
        started.append(begin(*args))
        return started[-1]

    monkeypatch.setattr(evenings, "_begin", interrupted)
    try:
        with pytest.raises(KeyboardInterrupt):
            reports(short.shortly, [2])
    finally:
        signal.signal(signal.SIGINT, heeded)
    [(_, (seed, process))] = started
    assert (seed, process.is_alive()) == (2, False), "it was started whole and then given up"
