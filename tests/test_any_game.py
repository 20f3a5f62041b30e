"""Every registered game plays by itself, through nothing but the Game protocol and a match."""

from random import Random
from typing import Any

import pytest

from referee import match, rules
from referee.board import Seat
from referee.events import Event
from referee.match import Match
from referee.notation import dump_event, load_event
from referee.registry import GAMES
from referee.rules import BadQuestion, Game
from tests.referee.play import booked, random_events

LONGEST = 3_000
"""Throws and moves of one match; some games need not have ended by then."""


def tables() -> list[Any]:
    """Each game, each preset, with the fewest and the most players it takes."""
    found = []
    for game in GAMES.values():
        for preset in game.presets:
            playable = [seats for seats in seatings(game) if takes(game, preset, seats)]
            for seats in sorted({min(playable, key=len), max(playable, key=len)}):
                found.append(pytest.param(game.name, preset, seats, id=f"{game.name} {preset} {len(seats)}"))
    return found


def seatings(game: Game[Any]) -> list[tuple[Seat, ...]]:
    """All ways to take seats, in ascending order."""
    chosen: list[tuple[Seat, ...]] = [()]
    for seat in game.seats:
        chosen += [(*seats, seat) for seats in chosen]
    return chosen


def takes(game: Game[Any], preset: str, seats: tuple[Seat, ...]) -> bool:
    try:
        game.start(preset, seats, {})
    except BadQuestion:
        return False
    return True


def pot_and_stakes(game: Match) -> int:
    """Everything of value on the table, as the position writes it."""
    written: Any = game.game.dump(game.position)
    held: list[int] = [player.get("stakes", 0) for player in written["players"].values()]
    return sum(held, written.get("pot", 0))


@pytest.mark.parametrize(("name", "preset", "seats"), tables())
def test_plays_by_itself(name: str, preset: str, seats: tuple[Seat, ...]) -> None:
    random, game = Random(f"{name} {preset}"), match.begin(match.start(name, preset, seats))
    log: list[Event] = [game.started]
    brought = pot_and_stakes(game)
    for _ in range(LONGEST):
        if game.phase == "over":
            break
        assert game.turn in game.game.players(game.position)
        events = random_events(game, random)
        game = booked(game, events)
        log.extend(events)
        stacks = game.game.occupancy(game.position)
        assert all(stacks.values())
        assert {seat for stack in stacks.values() for seat in stack} <= set(game.game.players(game.position))
        assert pot_and_stakes(game) == sum(game.ledger.balances.values()) == brought
        if game.phase == "throw":
            written = game.game.dump(game.position)
            assert game.game.load(preset, written, {}) == game.position
    assert len(log) > 100
    assert match.replay(load_event(dump_event(event)) for event in log) == game


@pytest.mark.parametrize(("name", "preset", "seats"), tables())
def test_legal_moves_can_be_made_and_others_are_refused(name: str, preset: str, seats: tuple[Seat, ...]) -> None:
    random, game = Random(7), match.begin(match.start(name, preset, seats))
    moves: set[str] = set()
    for _ in range(300):
        if game.phase == "move":
            moves.update(game.legal)
            assert list(game.legal) == sorted(set(game.legal))
            for move in game.legal:
                after = rules.fold(game.game, game.position, match.move(game, move))
                assert after != game.position
            for move in moves - set(game.legal):
                with pytest.raises(rules.Illegal) as breach:
                    match.move(game, move)
                assert breach.value.why
        if game.phase == "over":
            game = match.begin(game.started)
        game = booked(game, random_events(game, random))
    assert moves


@pytest.mark.parametrize("name", sorted(GAMES))
def test_has_a_board_with_every_cell_it_plays_on(name: str) -> None:
    from calibration.layout import load

    layout = load(name)
    game, random, stood = GAMES[name], Random(2), set[str]()
    seats = next(seats for seats in reversed(seatings(game)) if takes(game, game.presets[0], seats))
    played = match.begin(match.start(name, game.presets[0], seats))
    while played.phase != "over" and len(stood) < len(layout.cells):
        played = booked(played, random_events(played, random))
        stood.update(game.occupancy(played.position))
    assert layout.game == name
    assert stood <= {cell.name for cell in layout.cells}
    assert len(stood) > len(layout.cells) // 2
