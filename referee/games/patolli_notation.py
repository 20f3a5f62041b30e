"""Patolli positions as JSON, and the one that a match starts from."""

from collections.abc import Mapping

from referee.board import Seat
from referee.games.patolli_position import PatolliPosition, Player
from referee.games.patolli_presets import CELLS, PRESETS, R_SEATS, SEATS, STAKES, TRIANGLE_ROWS, Terms, terms
from referee.questions import fields, items, purses, shown, whole
from referee.rules import BadQuestion, Stakes

MOST_STAKES = 10**9
"""Far more than any table has beans for, all together: then no purse can outgrow what may be asked about."""


def start(
    preset: str, seats: tuple[Seat, ...], options: Mapping[str, object], stakes: Stakes | None
) -> PatolliPosition:
    """The position before the first throw, the first seat to throw."""
    agreed = load_terms(preset, options)
    allowed: list[tuple[Seat, ...]] = [(Seat(1), Seat(3))]
    if agreed.preset.first is None:
        allowed += [tuple(s for s in SEATS if s != left) for left in SEATS] + [SEATS]
    if seats not in allowed:
        raise BadQuestion(
            f"seats: two players take arms 1 and 3, three any three, four all; in ascending order ({R_SEATS})"
            if agreed.preset.first is None
            else f"seats: {preset} is for arms 1 and 3"
        )
    if agreed.preset.staked:
        brought = purses(STAKES[len(seats)] if stakes is None else stakes, seats, 1, MOST_STAKES)
    else:
        brought = purses(stakes or 0, seats, 0, 0)
    if sum(brought.values()) > MOST_STAKES:
        raise BadQuestion(f"stakes: more than {MOST_STAKES} come to the table")
    players = tuple(Player(seat, agreed.preset.pieces, (), 0, brought[seat]) for seat in seats)
    return PatolliPosition(agreed, players, seats[0])


def load_terms(name: str, options: Mapping[str, object]) -> Terms:
    """The terms of a preset under the options of CONTRACTS. Raises BadQuestion naming the option."""
    if name not in PRESETS:
        raise BadQuestion(f"preset: {shown(name)} is none of {', '.join(PRESETS)}")
    limited = PRESETS[name].throw_limit is not None
    fields(dict(options), "options", (), ("triangle_rows", "throw_limit") if limited else ("triangle_rows",))
    rows: tuple[int, ...] = TRIANGLE_ROWS
    if "triangle_rows" in options:
        path = "options.triangle_rows"
        rows = tuple(whole(row, path, 1, 6) for row in items(options["triangle_rows"], path))
        if len(set(rows)) < len(rows):
            raise BadQuestion(f"{path}: names a row twice")
    limit = whole(options["throw_limit"], "options.throw_limit", 1, 10**9) if "throw_limit" in options else None
    return terms(name, tuple(sorted(rows)), limit)


def load(preset: str, state: object, options: Mapping[str, object]) -> PatolliPosition:
    """Read a position as CONTRACTS writes it. Raises BadQuestion naming the field."""
    agreed = load_terms(preset, options)
    given = fields(state, "state", ("players", "turn", "pot" if agreed.preset.staked else "throws"))
    names = {str(seat): seat for seat in SEATS}
    listed = fields(given["players"], "state.players", (), names)
    if not agreed.preset.staked and set(listed) != {"1", "3"}:
        raise BadQuestion(f"state.players: {preset} is for seats 1 and 3")
    if len(listed) < 2:
        raise BadQuestion("state.players: a game needs two players at least")
    players = tuple(_load_player(seat, listed[name], agreed) for name, seat in names.items() if name in listed)
    cells = [cell for player in players for cell in player.track]
    for cell in cells:
        if cells.count(cell) > 1:
            raise BadQuestion(f"state.players: two pieces stand on {cell}")
    turn = given["turn"]
    if not isinstance(turn, str) or turn not in listed:
        over = " (a finished game)" if turn is None else ""
        raise BadQuestion(f"state.turn: must be the seat of a player who is in, not {shown(turn)}{over}")
    pot = whole(given["pot"], "state.pot", 0, MOST_STAKES) if agreed.preset.staked else 0
    if pot + sum(player.stakes for player in players) > MOST_STAKES:
        raise BadQuestion(f"state.players: more than {MOST_STAKES} stakes are on the table")
    throws = 0
    if agreed.throw_limit is not None:
        throws = whole(given["throws"], "state.throws", 0, agreed.throw_limit - 1)
    if not agreed.preset.laps_win and not pot and sum(player.stakes > 0 for player in players) < 2:
        raise BadQuestion("state.players: a finished game: one player holds every stake")
    return PatolliPosition(agreed, players, names[turn], pot, throws)


def _load_player(seat: Seat, value: object, agreed: Terms) -> Player:
    path = f"state.players.{seat}"
    pieces = agreed.preset.pieces
    given = fields(value, path, ("reserve", "track", "home", *(("stakes",) if agreed.preset.staked else ())))
    track = tuple(sorted(whole(cell, f"{path}.track", 1, CELLS) for cell in items(given["track"], f"{path}.track")))
    reserve = whole(given["reserve"], f"{path}.reserve", 0, pieces)
    home = whole(given["home"], f"{path}.home", 0, pieces if agreed.preset.laps_win else 0)
    if reserve + len(track) + home != pieces:
        raise BadQuestion(f"{path}: has {reserve + len(track) + home} pieces in reserve, track and home, not {pieces}")
    if home == pieces:
        raise BadQuestion(f"{path}.home: a finished game: all pieces are home")
    stakes = whole(given["stakes"], f"{path}.stakes", 0, MOST_STAKES) if agreed.preset.staked else 0
    return Player(seat, reserve, track, home, stakes)


def dump(position: PatolliPosition) -> dict[str, object]:
    """Write a position as CONTRACTS writes it; ``load`` reads it back while the game is on."""
    staked = position.terms.preset.staked
    players = {}
    for player in position.players:
        written = {"reserve": player.reserve, "track": list(player.track), "home": player.home}
        players[str(player.seat)] = written | ({"stakes": player.stakes} if staked else {})
    turn = None if position.turn is None else str(position.turn)
    return {"players": players} | (
        {"pot": position.pot, "turn": turn} if staked else {"turn": turn, "throws": position.throws}
    )
