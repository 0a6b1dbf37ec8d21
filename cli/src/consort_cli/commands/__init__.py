"""One module per command, with `arguments(parser)` and `run(args) -> exit code`. It is imported only when called."""
