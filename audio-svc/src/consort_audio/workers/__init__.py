"""Processes that do heavy work for the service and stay for the next request: rendering, and listening.

They keep numpy, soundfonts and models out of the service and in memory between requests. A worker that dies, hangs or
exceeds its limits is replaced.

- `frames`: what the service and a worker send each other over pipes
- `worker_pool`: the service's side: start workers, hand out requests, replace dead workers
- `worker_program`: the worker's side: read a request, do it, report, and so on
"""
