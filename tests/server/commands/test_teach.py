"""`macuil teach`: learns from confirmed throws, measures on others, and keeps only what helps."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from server.cli import main
from server.taught_file import remember
from server.teaching import Figures
from tests.server.commands.own_throws import MARKED, PLAIN, Out, beans_folder, dice_folder, told, write
from tests.vision.drawn_throws import drawn


def test_beans_are_taught_and_read_as_taught(
    nets: Callable[..., None], tmp_path: Path, data_folder: Path, capsys: Out
) -> None:
    nets()
    folder = beans_folder(tmp_path / "own", 15)
    assert main(["teach", str(folder), "--json"]) == 0
    line = told(capsys)
    before, after = Figures(**line.pop("before")), Figures(**line.pop("after"))
    assert line == {
        "kind": "beans",
        "throws": 15,
        "found": 15,
        "taught": True,
        "why": "",
        "kept": str(data_folder / "taught-beans.json"),
    }
    assert (before.throws, before.right) == (15, 3)
    assert (after.throws, after.right, after.wrong_certain) == (15, 15, 0)
    assert after.certain > before.certain
    assert before.log_loss > 1 > 0.2 > after.log_loss

    picture = tmp_path / "new.png"
    cv2.imwrite(str(picture), drawn("beans", (PLAIN, MARKED, MARKED, PLAIN, MARKED)))
    read = ["read", str(picture), "--expect", "beans=5"]
    assert main(read) == 0
    assert capsys.readouterr().out.startswith(f"{picture}: 0 of 5 beans marked")
    assert main([*read, "--data", str(data_folder)]) == 0
    seen = capsys.readouterr()
    assert seen.out == f"{picture}: 3 of 5 beans marked\n"
    assert seen.err == f"macuil: beans are read as taught on {datetime.now(UTC):%Y-%m-%d} with 15 throws\n"


def test_dice_are_taught(nets: Callable[..., None], tmp_path: Path, data_folder: Path, capsys: Out) -> None:
    nets(60.0)
    assert main(["teach", str(dice_folder(tmp_path / "own", 20)), "--expect", "dice=2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "20 throws of 2 dice, each read before and after it was taught the others:"
    assert lines[-1].startswith(f"Taught, from the next start on; kept as {data_folder / 'taught-dice.json'}.")
    remembered = remember(data_folder, "dice")
    assert remembered
    assert (remembered.throws, remembered.taught.weights.shape) == (20, (6, 103))
    assert remembered.after.log_loss < remembered.before.log_loss
    assert remembered.after.right >= remembered.before.right

    assert main(["teach"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == (f"dice, taught on {datetime.now(UTC):%Y-%m-%d} with 20 throws:")


@pytest.mark.parametrize(
    ("expected", "mixed_up", "why"),
    [
        pytest.param((MARKED, PLAIN), False, "these throws are read no better for it", id="read well already"),
        pytest.param((MARKED, PLAIN), True, "would be read right instead of", id="mixed up, read well"),
        pytest.param((250, 120), True, "is each line of the confirmed throws right?", id="mixed up, read badly"),
    ],
)
def test_what_does_not_help_is_refused(
    nets: Callable[..., None],
    expected: tuple[int, int],
    mixed_up: bool,
    why: str,
    tmp_path: Path,
    data_folder: Path,
    capsys: Out,
) -> None:
    nets(14.0, expected)
    other = iter(np.random.default_rng(1).integers(1, 6, 20))
    folder = beans_folder(tmp_path / "own", 20, (lambda _: int(next(other))) if mixed_up else None)
    assert main(["teach", str(folder), "--json"]) == 1
    out = capsys.readouterr()
    line = json.loads(out.out)
    assert (line["taught"], line["kept"]) == (False, None)
    assert line["before"]["throws"] == line["after"]["throws"] == 20
    assert why in line["why"]
    assert out.err == f"macuil teach: not taught, nothing is changed: {line['why']}\n"
    assert not data_folder.exists()


def test_what_is_only_learnt_by_heart_is_refused(nets: Callable[..., None], tmp_path: Path, capsys: Out) -> None:
    nets(1e6)
    rng = np.random.default_rng(3)
    folder, lines = tmp_path / "own", ["file,marked"]
    for number in range(15):  # how bright a bean is has nothing to do with its face
        write(folder, number, drawn("beans", [float(shade) for shade in rng.choice(range(110), 5)]))
        lines.append(f"{number}.png,{rng.integers(0, 6)}")
    (folder / "throws.csv").write_text("\n".join(lines) + "\n")
    assert main(["teach", str(folder), "--json"]) == 1
    assert told(capsys)["why"] == "these throws are read no better for it than chance would have it"


def test_pictures_that_cannot_be_read_wholly_count_as_wrong(
    nets: Callable[..., None], tmp_path: Path, capsys: Out
) -> None:
    nets()
    folder = beans_folder(tmp_path / "own", 15)
    for number in (2, 7, 11):
        write(folder, number, drawn("beans", (MARKED, PLAIN)))
    assert main(["teach", str(folder), "--json"]) == 0
    line = told(capsys)
    assert (line["throws"], line["found"], line["after"]["right"]) == (15, 12, 12)
    for number in (0, 1, 3):
        write(folder, number, drawn("beans", (MARKED, PLAIN)))
    assert main(["teach", str(folder)]) == 2
    assert "in only 9 of 15 pictures were all 5 beans found" in capsys.readouterr().err
