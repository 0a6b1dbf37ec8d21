"""Helpers that benchmarks share.

- `report`: the table, the requirements and the summary that a benchmark returns.
- `options`: what a benchmark may be asked for on the command line.
- `cpu_time`: measure the CPU time of a call.
- `running_studio`: run a whole studio.
- `service_caller`: call a service's tools over HTTP.
- `melody_features`: the features by which melodies are compared.
"""
