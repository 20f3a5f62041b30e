"""The worked positions that come with the rules, asked of a running adjudicator."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.registry import GAMES

PROJECT = Path(__file__).parents[2]
CASES = PROJECT.parent / "shared" / "cases" / "rules.jsonl"
QUESTION = ("game", "preset", "state", "throw", "move", "options")


def cases() -> list[Any]:
    if not CASES.exists():
        return [
            pytest.param(
                {}, marks=pytest.mark.skip(reason=f"no worked cases at ../{CASES.relative_to(PROJECT.parent)}")
            )
        ]
    lines = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [pytest.param(case, id=case["id"]) for case in lines if case["game"] in GAMES]


@pytest.fixture(scope="module")
def answers() -> dict[str, dict[str, Any]]:
    """What one adjudicator answers to all cases, by their ids."""
    asked = [parameter.values[0] for parameter in cases() if parameter.values[0]]
    lines = "".join(json.dumps({name: case[name] for name in QUESTION if name in case}) + "\n" for case in asked)
    done = subprocess.run(
        [sys.executable, "-m", "referee"], cwd=PROJECT, input=lines.encode(), capture_output=True, check=True
    )
    given = [json.loads(line) for line in done.stdout.splitlines()]
    return {case["id"]: answer for case, answer in zip(asked, given, strict=True)}


@pytest.mark.parametrize("case", cases())
def test_worked_case(case: dict[str, Any], answers: dict[str, dict[str, Any]]) -> None:
    given = answers[case["id"]]
    expected = {"legal": case["legal"], "after": case["after"], "over": case["over"]}
    assert {name: given.get(name) for name in expected} == expected
    assert set(case.get("reading", ())) <= set(given["why"])
