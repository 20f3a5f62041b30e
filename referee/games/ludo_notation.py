"""Ludo positions as JSON, and the one that a match starts from."""

from collections.abc import Mapping

from referee.board import Seat
from referee.games.ludo_position import ENTRY_FEE, MEN, SEATS, Corners, LudoPosition, Player, misplaced
from referee.questions import fields, items, purses, shown, text, whole
from referee.rules import BadQuestion, Stakes

MOST_STAKES = 10**9
"""Far more than any table has beans for, all together."""
LARGEST = 10**15
"""Of a single purse or the pot: debts (R-LU-FINE1) let them outgrow what came to the table, but not by so much."""


def start(preset: str, seats: tuple[Seat, ...], options: Mapping[str, object], stakes: Stakes | None) -> LudoPosition:
    """The position before the first throw, entry payments made, the first seat to throw."""
    corners = _corners(preset, options)
    if len(seats) < 2 or list(seats) != sorted(set(seats) & set(SEATS)):
        raise BadQuestion("seats: two to four of 1, 2, 3, 4, in ascending order")
    if not stakes or (isinstance(stakes, Mapping) and not any(stakes.values())):
        return LudoPosition(corners, tuple(Player(seat, MEN, (), None) for seat in seats), seats[0])
    brought = purses(stakes, seats, ENTRY_FEE, MOST_STAKES)
    players = tuple(Player(seat, MEN, (), brought[seat] - ENTRY_FEE) for seat in seats)
    return LudoPosition(corners, players, seats[0], pot=ENTRY_FEE * len(seats))


def load(preset: str, state: object, options: Mapping[str, object]) -> LudoPosition:
    """Read a position as CONTRACTS writes it. Raises BadQuestion naming the field."""
    corners = _corners(preset, options)
    given = fields(state, "state", ("players", "turn"), ("pot",))
    names = {str(seat): seat for seat in SEATS}
    listed = fields(given["players"], "state.players", (), names)
    if len(listed) < 2:
        raise BadQuestion("state.players: a game needs two players at least")
    players = [_load_player(seat, listed[name]) for name, seat in names.items() if name in listed]
    if len({player.stakes is None for player in players}) > 1:
        raise BadQuestion("state.players: stakes are for all players or none")
    staked = players[0].stakes is not None
    if staked != ("pot" in given):
        raise BadQuestion("state.pot: is missing" if staked else "state.pot: there is none where nobody has stakes")
    pot = whole(given["pot"], "state.pot", 0, LARGEST) if staked else None
    if (pot or 0) + sum(player.stakes or 0 for player in players) > MOST_STAKES:
        raise BadQuestion(f"state.players: more than {MOST_STAKES} stakes are on the table")
    plight = misplaced(corners, players)
    if plight:
        raise BadQuestion(f"state.players: {plight}")
    turn = given["turn"]
    if not isinstance(turn, str) or turn not in listed:
        over = " (a finished game)" if turn is None else ""
        raise BadQuestion(f"state.turn: must be the seat of a player who is in, not {shown(turn)}{over}")
    return LudoPosition(corners, tuple(players), names[turn], pot)


def dump(position: LudoPosition) -> dict[str, object]:
    """Write a position as CONTRACTS writes it; ``load`` reads it back while the game is on."""
    players = {}
    for player in position.players:
        written: dict[str, object] = {"reserve": player.reserve, "track": list(player.track)}
        players[str(player.seat)] = written | ({} if player.stakes is None else {"stakes": player.stakes})
    turn = None if position.turn is None else str(position.turn)
    return {"players": players} | ({} if position.pot is None else {"pot": position.pot}) | {"turn": turn}


def _load_player(seat: Seat, value: object) -> Player:
    path = f"state.players.{seat}"
    given = fields(value, path, ("reserve", "track"), ("stakes",))
    track = tuple(sorted(text(cell, f"{path}.track") for cell in items(given["track"], f"{path}.track")))
    reserve = whole(given["reserve"], f"{path}.reserve", 0, MEN)
    if reserve + len(track) != MEN:
        raise BadQuestion(f"{path}: has {reserve + len(track)} men in reserve and track, not {MEN}")
    staked = "stakes" in given
    # A purse may go below zero (R-LU-FINE1).
    return Player(seat, reserve, track, whole(given["stakes"], f"{path}.stakes", -LARGEST, LARGEST) if staked else None)


def _corners(preset: str, options: Mapping[str, object]) -> Corners:
    if preset != "chessboard":
        raise BadQuestion(f"preset: {shown(preset)} is none of chessboard")
    match fields(dict(options), "options", (), ("corners",)).get("corners", "own"):
        case "own":
            return "own"
        case "shared":
            return "shared"
        case other:
            raise BadQuestion(f"options.corners: must be own or shared, not {shown(other)}")
