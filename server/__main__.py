"""`python -m server` is `macuil`."""

import sys

from server.cli import main

sys.exit(main())
