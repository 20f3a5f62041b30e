"""table.toml and the words of the command line."""

from pathlib import Path

import pytest

from referee.board import Seat
from server.settings import Settings, SettingsError, parse_names, parse_seats, read_settings

USUAL = {2: (Seat(1), Seat(3)), 3: (Seat(1), Seat(2), Seat(3)), 4: (Seat(1), Seat(2), Seat(3), Seat(4))}
KNOWN = (Seat(1), Seat(2), Seat(3), Seat(4))


def test_every_key_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(
        'camera = 1\nlayout = "patolli"\ngame = "patolli"\npreset = "quick"\nseats = [2, 4]\nstakes = 9\n'
        'strip = "sim://strip"\nhost = "0.0.0.0"\nport = 9000\ndata = "games"\n'
        "corners = [[300, 60], [900, 90.5], [960, 660], [240, 640]]\n"
        '[names]\n2 = "Ana"\n4 = "Бен"\n',
        encoding="utf-8",
    )
    assert read_settings(path) == Settings(
        camera="1",
        layout="patolli",
        game="patolli",
        preset="quick",
        seats="2,4",
        names={Seat(2): "Ana", Seat(4): "Бен"},
        stakes=9,
        strip="sim://strip",
        host="0.0.0.0",
        port=9000,
        data=tmp_path / "games",
        corners=((300.0, 60.0), (900.0, 90.5), (960.0, 660.0), (240.0, 640.0)),
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("camra = 1", "unknown key 'camra'", id="a typing error"),
        pytest.param("port = true", "port = True is not of the right kind", id="a flag as a port"),
        pytest.param("camera = [1]", "camera = [1] is not of the right kind", id="two cameras"),
        pytest.param('[names]\nana = "1"', 'names are written as 1 = "Ana"', id="names turned round"),
        pytest.param("corners = [[1, 2]]", "corners: write four corners", id="one corner"),
        pytest.param(
            "corners = [[300, 60], [960, 660], [900, 90], [240, 640]]",
            "corners: the sides cross like a bow-tie: swap corners 2 and 3",
            id="a bow-tie",
        ),
        pytest.param("port = ", "is no TOML", id="no TOML"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as refusal:
        read_settings(path)
    assert str(path) in str(refusal.value)
    assert why in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_missing_file_is_an_error_not_a_default(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot read"):
        read_settings(tmp_path / "table.toml")


@pytest.mark.parametrize(
    ("text", "seats"), [("2", (1, 3)), ("3", (1, 2, 3)), ("4", (1, 2, 3, 4)), ("3,1", (1, 3)), ("2, 4", (2, 4))]
)
def test_seats_are_a_number_of_players_or_a_list(text: str, seats: tuple[int, ...]) -> None:
    assert parse_seats(text, USUAL, KNOWN) == seats


@pytest.mark.parametrize("text", ["", "two", "1", "5", "1,1", "1,5", "1,,3"])
def test_seats_that_nobody_can_take(text: str) -> None:
    with pytest.raises(SettingsError, match="seats"):
        parse_seats(text, USUAL, KNOWN)


def test_names_go_round_the_table_in_order() -> None:
    assert parse_names("Ana, Ben", (Seat(1), Seat(3))) == {1: "Ana", 3: "Ben"}
    with pytest.raises(SettingsError, match="at most 2"):
        parse_names("Ana,Ben,Cai", (Seat(1), Seat(3)))


def test_handicap_and_options_are_read_and_refused_by_their_key(tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text("handicap = { 3 = 12 }\noptions = { triangle_rows = [4, 5] }\n", encoding="utf-8")
    settings = read_settings(table)
    assert (settings.handicap, settings.options) == ({Seat(3): 12}, {"triangle_rows": [4, 5]})
    table.write_text("handicap = { 9 = 12 }\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="a handicap is written as 1 = 12"):
        read_settings(table)
