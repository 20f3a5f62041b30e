"""`macuil adjudicate`: the same as `python -m referee`."""

import argparse

from referee.__main__ import main


def configure(parser: argparse.ArgumentParser) -> None:
    """There is nothing to choose: questions come in on standard input, answers go out on standard output."""


def run(arguments: argparse.Namespace) -> int:
    """Answer questions to the end of the input; returns the exit code."""
    return main()
