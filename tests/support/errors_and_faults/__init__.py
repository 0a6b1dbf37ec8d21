"""Check calls that fail, and cause faults that the studio must survive.

- `error_shape`: check that an error has the shape that all errors have.
- `wrong_calls`: check that an error says how to correct the call.
- `example_calls`: one valid call for every tool.
- `injected_faults`: processes to kill or suspend, hostile texts, and the tools that are called meanwhile.
- `pattern_attacks`: texts that make a regular expression slow, and how its cost grows.
- `fault_measurements`: measure how long an error and a recovery take, and check that nothing was lost.
"""
