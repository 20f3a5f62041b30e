"""`macuil adjudicate`: the same as `python -m referee`."""

import argparse
import sys

from referee.__main__ import main

EXAMPLE = """Questions are read from standard input, one JSON object a line; a bad one is answered {"error": "..."}:

  {"game": "patolli", "preset": "classic", "throw": {"marks": 1}, "move": "4>5",
   "state": {"players": {"1": {"reserve": 3, "track": [4, 11], "home": 1, "stakes": 9},
                         "3": {"reserve": 4, "track": [13, 30], "home": 0, "stakes": 7}}, "pot": 4, "turn": "1"}}

Without "move" the answer lists what is legal. docs/rules.md explains the reasons it gives."""


def configure(parser: argparse.ArgumentParser) -> None:
    """There is nothing to choose: questions come in on standard input, answers go out on standard output."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLE


def run(arguments: argparse.Namespace) -> int:
    """Answer questions to the end of the input; returns the exit code."""
    if sys.stdin.isatty():
        print("one question a line, as JSON (see --help); Ctrl+D ends", file=sys.stderr)
    return main()
