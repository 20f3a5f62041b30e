"""One file a command of `macuil`: `configure(parser)` names its arguments, `run(arguments)` returns the exit code."""
