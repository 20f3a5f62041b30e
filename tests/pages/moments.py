"""Moments of a match as the server sends them; each test changes what it is about."""

from typing import Any

Json = dict[str, Any]

BEANS = [
    {"x": 0.28, "y": 0.22, "angle": 24.0, "face": "marked"},
    {"x": 0.66, "y": 0.31, "angle": 118.0, "face": "plain"},
    {"x": 0.41, "y": 0.47, "angle": 261.0, "face": "marked"},
    {"x": 0.71, "y": 0.63, "angle": 332.0, "face": "marked"},
    {"x": 0.33, "y": 0.78, "angle": 75.0, "face": "plain"},
]


def moment(version: int = 12, **changes: Any) -> Json:
    """Jade has thrown three and is to move."""
    state: Json = {
        "version": version,
        "game": "patolli",
        "preset": "classic",
        "needs": {"beans": 5, "dice": 0},
        "layout": "patolli",
        "phase": "move",
        "turn": "1",
        "winner": None,
        "paused": False,
        "seats": [player("1", "Ana", 3, 1, 17), player("3", "Benito", 4, 0, 19)],
        "pot": 4,
        "dropped": None,
        "pieces": {"4": ["1"], "26": ["1"], "30": ["3"], "45": ["3"]},
        "legal": [legal("4>7"), legal("26>29")],
        "throw": throw(17, 3, 3),
        "doubtful": None,
        "undo": line(17, "thrown", seat="1", marked=3, steps=3),
        "seen": {"state": "rest", "plights": []},
        "camera": {"identity": "simulated table", "fps": 14.8, "state": "ok", "size": [1280, 720]},
        "message": {"key": "move", "args": {"seat": "1", "steps": 3}},
        "unwatched": None,
        "objection": None,
        "log": [
            line(1, "started", game="patolli", preset="classic"),
            line(2, "began", seat="3"),
            line(9, "thrown", seat="3", marked=2, steps=2),
            line(10, "moved", seat="3", origin="28", target="30"),
            line(11, "paid", payer="3", payee="pot", amount=1, why="triangle"),
            line(12, "turn_passed", seat="1"),
            line(17, "thrown", seat="1", marked=3, steps=3),
        ],
        "strip": {"state": "ok", "colours": ["#000000"] * 6 + ["#2a9d6f"] + ["#000000"] * 45},
        "overlay": {
            "size": [1280, 720],
            "board": [[150, 80], [760, 90], [790, 660], [110, 650]],
            "field": [[180, 107], [569, 105], [583, 626], [153, 624]],
            "place": [[850, 150], [1120, 160], [1160, 600], [880, 600]],
            "pieces": [{"cell": "4", "seat": "1", "x": 480, "y": 540}, {"cell": "30", "seat": "3", "x": 440, "y": 190}],
            "throw": [{"x": 930, "y": 260, "face": "marked"}, {"x": 1040, "y": 330, "face": "plain"}],
        },
        "sight": "tags",
        "demo": False,
    }
    return state | changes


def player(seat: str, name: str, reserve: int, home: int, stakes: int | None, out: bool = False) -> Json:
    """One player as the server shows him."""
    colour = {"1": "jade", "2": "maize", "3": "coral", "4": "indigo"}[seat]
    return {
        "seat": seat, "name": name, "colour": colour, "reserve": reserve, "home": home, "stakes": stakes, "out": out,
    }  # fmt: skip


def legal(move: str) -> Json:
    """One legal move."""
    origin, _, target = move.partition(">")
    return {"move": move, "from": origin, "to": target, "cells": [] if target == "home" else [target]}


def throw(id_: int, marked: int, steps: int, source: str = "camera", seat: str = "1") -> Json:
    """A throw of five beans as they lie; one by hand has no picture and lies nowhere."""
    beans = [
        {**bean, "face": "marked" if i < marked else "plain"}
        for i, bean in enumerate(BEANS if source == "camera" else [])
    ]
    return {
        "id": id_, "seat": seat, "kind": "beans", "marked": marked, "steps": steps, "to_begin": False, "source": source,
        "beans": beans,
        "dice": [], "crop": f"/api/throws/{id_}.jpg" if source == "camera" else None, "why": [],
    }  # fmt: skip


def line(id_: int, key: str, **args: Any) -> Json:
    """One line of the log."""
    return {"id": id_, "at": f"2026-11-30T12:{id_:02d}:05Z", "key": key, "args": args}


ILLEGAL: Json = {
    "key": "illegal",
    "args": {"seat": "3", "seen": "12>15", "rule": "blocked"},
    "cells": ["12", "15"],
    "ways": ["accept", "enter"],
}
