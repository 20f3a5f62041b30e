"""The command line: `macuil COMMAND …`.

Commands are imported only when called, so that `macuil adjudicate` starts without OpenCV.
"""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Any, NoReturn

COMMANDS = {
    "demo": "a whole table without any hardware: simulated people before a simulated camera",
    "serve": "referee a real table and show it to the tablets",
    "watch": "referee a recording or a live source in the terminal, as JSON lines",
    "read": "read beans or dice in pictures",
    "locate": "find a board in pictures and what stands on it",
    "judge": "say which legal outcome of a throw pictures of the board show",
    "count": "count thrown beans or dice in the terminal, and say whether they are fair",
    "teach": "teach the reader one's own beans or dice, with ten to twenty throws whose value is known",
    "calibrate": "make a layout of one's own board from a photo or a drawing of it, or measure the lens of a camera",
    "print": "boards, trays and tags to print, and the page to calibrate a camera with",
    "replay": "play a written game or one of the journal again, and say what followed from each throw and move",
    "export": "write a game as text or JSON, or its stakes as CSV",
    "adjudicate": "answer questions about positions, as JSON lines",
    "bench": "measure speed and memory on this machine, or referee whole simulated evenings",
}


ASKED = (
    (r"argument COMMAND: invalid choice: '?(.*?)'? \(choose from.*", r"\1: there is no such command"),
    (r"argument (.+): invalid choice: '?(.*?)'? \(choose from (.*)\)", r"\1: \2 is none of \3"),
    (r"argument (.+): invalid int value: (.*)", r"\1: \2 is no whole number"),
    (r"argument (.+): invalid float value: (.*)", r"\1: \2 is no number"),
    (r"argument (.+): expected (?:one|at least one) argument", r"\1: a value must follow"),
    (r"argument (.+): expected (\d) arguments", r"\1: \2 values must follow"),
    (r"the following arguments are required: (.+)", r"missing: \1"),
    (r"unrecognized arguments: (.+)", r"not understood: \1"),
)
"""What argparse says, and what people are told instead."""


class Refused(Exception):
    """Bad input: one line that says what is wrong and what to do. The program prints it and ends with ``status``."""

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status = status


class Parser(argparse.ArgumentParser):
    """Refuses in one line, without the usage; and takes "-5,0,40,40" for a value, as argparse does from 3.14 on."""

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        self._negative_number_matcher = re.compile(r"-\.?\d")

    def error(self, message: str) -> NoReturn:
        """Raises Refused."""
        said = " ".join(message.split())
        for pattern, plainly in ASKED:
            if match := re.fullmatch(pattern, said):
                said = match.expand(plainly).replace("'", "")  # some versions of Python quote, some do not
                break
        raise Refused(f"{said}; {self.prog} --help tells what there is")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code (0 done, 1 partly failed or to no avail, 2 refused)."""
    words = list(sys.argv[1:] if argv is None else argv)
    name = words[0] if words[:1] and words[0] in COMMANDS else None
    try:
        if name is None:
            _overview().parse_args(words)
            raise Refused("the COMMAND comes first; macuil --help tells what there is")
        arguments = _arguments(name, words[1:])
        status = int(arguments.run(arguments))
        sys.stdout.flush()
        return status
    except Refused as refusal:
        print(f"macuil {name}: {refusal}" if name else f"macuil: {refusal}", file=sys.stderr)
        return refusal.status
    except BrokenPipeError:
        # The reader has gone; without this the interpreter would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _overview() -> Parser:
    """Knows the commands and what each does, but none of their words."""
    parser = Parser(prog="macuil", description=__doc__.splitlines()[0])
    parser.add_argument("--version", action="version", version=f"macuil {version('macuil')}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, what in COMMANDS.items():
        commands.add_parser(name, help=what, description=what)
    return parser


def _arguments(name: str, words: list[str]) -> argparse.Namespace:
    """What one command was given; its pictures and its options may come in any order."""
    command = Parser(prog=f"macuil {name}", description=COMMANDS[name])
    module = import_module(f"server.commands.{name}")
    module.configure(command)
    command.set_defaults(run=module.run)
    # argparse cannot mix them where a command has commands of its own, nor after "--".
    as_written = name == "calibrate" or "--" in words
    return command.parse_args(words) if as_written else command.parse_intermixed_args(words)
