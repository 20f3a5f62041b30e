"""`make demo` on a machine where nothing is installed yet: it says at once what it does, for it takes a while."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parent.parent.parent / "Makefile"
PYTHON = """#!/bin/sh
# Stands where Python does: makes an environment in which nothing is ever installed.
mkdir -p .venv/bin && cp "$0" .venv/bin/python && printf '#!/bin/sh\\necho the table opens\\n' > .venv/bin/macuil
chmod +x .venv/bin/macuil
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32" or not shutil.which("make"), reason="there is no make here")


def test_the_first_start_says_what_it_does_and_the_second_does_not(tmp_path: Path) -> None:
    shutil.copy(MAKEFILE, tmp_path)
    for name in ("requirements.lock", "requirements-headless.lock", "pyproject.toml"):
        (tmp_path / name).touch()
    python = tmp_path / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}

    def demo() -> list[str]:
        words = ["make", "demo", "PYTHON=./python"]
        return subprocess.run(
            words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        ).stdout.splitlines()

    first, second = demo(), demo()
    assert first[0].startswith("First Macuil is set up in .venv: some 300 MB, 600 with the tests, in about 40 s")
    install = next(number for number, line in enumerate(first) if " -m pip install " in line)
    assert first[install - 1] == "Installing the packages that Macuil needs into .venv; please wait."
    assert first[-1] == "the table opens"
    assert second == [".venv/bin/macuil demo", "the table opens"]
