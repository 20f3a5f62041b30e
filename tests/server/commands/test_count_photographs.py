"""`macuil count` of a folder of photographs: each is one throw, as nothing in it ever holds still."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from server.cli import main
from server.commands.count_photographs import photographs
from tests.server.commands.own_throws import Out
from tests.vision.drawn_throws import drawn
from vision.camera import Image

MARKED, PLAIN = 200.0, 40.0
Nets = Callable[..., None]


def throw(marks: int, seed: int, size: tuple[int, int] = (340, 220)) -> Image:
    """Five beans on a sheet that was moved since the photograph before, as a camera in the hand has it."""
    across, down = np.random.default_rng(seed).integers(-30, 31, 2)
    beans = drawn("beans", [MARKED] * marks + [PLAIN] * (5 - marks))
    moved = cv2.warpAffine(beans, np.array([[1.0, 0, across], [0, 1, down]]), (340, 220), borderValue=(128, 128, 128))
    turned = np.asarray(moved if seed % 2 else moved[:, ::-1], np.uint8)
    return np.asarray(
        cv2.copyMakeBorder(turned, 0, size[1] - 220, 0, size[0] - 340, 0, value=(128, 128, 128)), np.uint8
    )


def folder(path: Path, *pictures: Image) -> str:
    path.mkdir()
    for number, picture in enumerate(pictures, start=1):
        assert cv2.imwrite(str(path / f"{number}.png"), picture)
    return str(path)


@pytest.fixture(autouse=True)
def _drawn(nets: Nets) -> None:
    nets(30.0, (MARKED, PLAIN))


def test_each_photograph_is_one_throw(tmp_path: Path, capsys: Out) -> None:
    marks = (3, 2, 5, 0, 1, 4, 2, 3, 1, 2)
    source = folder(tmp_path / "own", *(throw(shown, seed) for seed, shown in enumerate(marks)))
    csv, page = tmp_path / "own.csv", tmp_path / "own.html"
    assert main(["count", source, "--csv", str(csv), "--plot", str(page)]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == "photographs, not a recording: each is read as one throw"
    assert lines[:10] == [f"{k + 1}.png  throw {k + 1}: {shown} of 5" for k, shown in enumerate(marks)]
    assert lines[11] == "10 throws of 5 beans counted"
    assert [line.split(",")[1] for line in csv.read_text().splitlines()] == ["marks", *map(str, marks)]
    assert "Too few throws to tell" in page.read_text()


def test_as_json_with_the_name_of_each(tmp_path: Path, capsys: Out) -> None:
    empty = np.full((220, 340, 3), 128, np.uint8)
    source = folder(tmp_path / "own", throw(3, 1), throw(3, 1), empty, throw(2, 2), throw(9, 3)[:, :170])
    assert main(["count", source, "--json"]) == 0
    *lines, total = map(json.loads, capsys.readouterr().out.splitlines())
    assert lines == [
        {"file": f"{source}/1.png", "event": "throw", "marked": 3, "throws": 1},
        {"file": f"{source}/2.png", "event": "repeated", "throws": 1},
        {"file": f"{source}/3.png", "event": "empty", "throws": 1},
        {"file": f"{source}/4.png", "event": "throw", "marked": 2, "throws": 2},
        {"file": f"{source}/5.png", "event": "plight", "plights": ["missing"], "throws": 2},
    ]
    assert (total["throws"], total["uncertain"], total["counts"]) == (2, 2, [0, 0, 1, 1, 0, 0])


def test_why_one_does_not_count_is_said(tmp_path: Path, capsys: Out) -> None:
    empty = np.full((220, 340, 3), 128, np.uint8)
    assert main(["count", folder(tmp_path / "own", throw(3, 1), throw(3, 1), empty)]) == 0
    assert capsys.readouterr().out.splitlines()[1:4] == [
        "1.png  throw 1: 3 of 5",
        "2.png  not counted: it shows the throw before once more",
        "3.png  not counted: nothing is seen there",
    ]


def test_other_faces_on_the_same_spots_are_another_throw(tmp_path: Path, capsys: Out) -> None:
    assert main(["count", folder(tmp_path / "own", throw(3, 1), throw(2, 1), throw(2, 1))]) == 0
    assert capsys.readouterr().out.splitlines()[1:4] == [
        "1.png  throw 1: 3 of 5",
        "2.png  throw 2: 2 of 5",
        "3.png  not counted: it shows the throw before once more",
    ]


def test_a_single_photograph_is_a_throw_in_its_place(tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "one.png"
    assert cv2.imwrite(str(path), np.hstack([throw(4, 1), throw(2, 3)]))
    assert main(["count", str(path), "--area", "340,0,340,220", "--keep", str(tmp_path / "kept")]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "one.png  throw 1: 2 of 5"
    assert (tmp_path / "kept" / "throws.csv").read_text() == "file,marked,beans\nthrow-0001.jpg,2,5\n"
    kept = cv2.imread(str(tmp_path / "kept" / "throw-0001.jpg"))
    assert kept is not None
    assert kept.shape == (220, 340, 3)


def test_photographs_of_several_sizes_and_a_broken_one(tmp_path: Path, capsys: Out) -> None:
    source = folder(tmp_path / "own", throw(3, 1), throw(2, 2, (400, 300)), throw(1, 4, (350, 500)))
    (tmp_path / "own" / "0.png").write_text("none")
    assert main(["count", source]) == 1
    told = capsys.readouterr()
    assert told.out.splitlines()[1:4] == [f"{k}.png  throw {k}: {4 - k} of 5" for k in (1, 2, 3)]
    assert told.err.startswith(f"macuil count: {tmp_path / 'own' / '0.png'}: not a picture")
    assert told.err.count("\n") == 1


def test_none_can_be_read(tmp_path: Path, capsys: Out) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "1.jpg").write_text("none")
    assert main(["count", str(tmp_path / "own")]) == 2
    assert capsys.readouterr().err.startswith(f"macuil count: {tmp_path / 'own' / '1.jpg'}: not a picture")


@pytest.mark.parametrize("plot", [[], ["--plot", "{}/own.html"]], ids=["alone", "with a page"])
@pytest.mark.parametrize(
    ("picture", "why"),
    [
        pytest.param(
            np.full((220, 340, 3), 128, np.uint8), "nothing was thrown where it was looked; name the", id="empty"
        ),
        pytest.param(throw(3, 1)[:, :170], "none was read for certain; mend what is said of each", id="uncertain"),
    ],
)
def test_that_none_was_counted_is_said_with_the_same_code(
    picture: Image, why: str, plot: list[str], tmp_path: Path, capsys: Out
) -> None:
    source = folder(tmp_path / "own", picture)
    assert main(["count", source, *(word.format(tmp_path) for word in plot)]) == 1
    told = capsys.readouterr()
    assert "\n0 throws of 5 beans counted" in told.out
    assert told.err.startswith(f"macuil count: no throw was counted, so there is nothing to judge: {why}")
    assert told.err.count("\n") == 1
    assert not (tmp_path / "own.html").exists()


def test_a_film_in_which_nothing_lies_still_says_so(
    tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "film.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, (340, 220))
    for seed in range(20):
        film.write(throw(seed % 6, seed))
    film.release()
    assert main(["count", str(path)]) == 1
    told = capsys.readouterr()
    assert told.out == "\n0 throws of 5 beans counted\n"
    assert told.err.endswith(": nothing ever came to rest; let each throw lie for a second before you take it up\n")


def test_pictures_that_hold_still_are_a_recording(tmp_path: Path, capsys: Out) -> None:
    source = folder(tmp_path / "film", *[throw(3, 1)] * 12, *(throw(2, seed) for seed in range(4)), *[throw(5, 6)] * 12)
    assert main(["count", source, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["event"], line.get("marked"), "t" in line) for line in lines] == [
        ("throw", 3, True),
        ("throw", 5, True),
        ("total", None, False),
    ]


def test_a_folder_that_may_not_be_read_is_left_to_whoever_opens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert photographs(str(tmp_path), 15.0) == ()
