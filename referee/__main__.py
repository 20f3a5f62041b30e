"""`python -m referee`: answers questions about positions, one JSON line each. Standard library only."""

import os
import sys

from referee.adjudicator import adjudicate


def main() -> int:
    """Read standard input to its end; returns the exit code."""
    try:
        adjudicate(sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:
        # The reader has gone; without this the interpreter would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
