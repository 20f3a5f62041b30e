"""The rooms import one way only: server -> vision, device -> calibration -> referee."""

import ast
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
MAY_IMPORT = {
    "referee": set[str](),
    "calibration": {"referee"},
    "device": {"calibration", "referee"},
    "vision": {"calibration", "referee"},
    "server": {"calibration", "device", "referee", "vision"},
}


def imported(source: str) -> set[str]:
    """Top-level names of everything a module imports, inside functions too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names.add(str(node.module).split(".")[0])
    return names


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_follow_the_arrows(room: str) -> None:
    against = {
        (path.relative_to(PROJECT).as_posix(), name)
        for path in (PROJECT / room).rglob("*.py")
        for name in imported(path.read_text(encoding="utf-8")) & (MAY_IMPORT.keys() | {"tests"})
        if name not in MAY_IMPORT[room] | {room}
    }
    assert against == set()


def test_the_referee_needs_the_standard_library_only() -> None:
    foreign = {
        (path.relative_to(PROJECT).as_posix(), name)
        for path in (PROJECT / "referee").rglob("*.py")
        for name in imported(path.read_text(encoding="utf-8")) - sys.stdlib_module_names - MAY_IMPORT.keys()
        if not (name == "numpy" and path.is_relative_to(PROJECT / "referee" / "players"))
    }
    assert foreign == set()
