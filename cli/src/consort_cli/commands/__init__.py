"""One module a command: `HELP`, `arguments(parser)` and `run(args) -> exit code`; imported only when it is called."""
