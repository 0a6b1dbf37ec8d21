"""Measure the CPU time of a call in this process, in milliseconds."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def cpu_ms(work: Callable[..., object], *arguments: object) -> float:
    """Call `work` and return its CPU time in milliseconds."""
    return timed_call(work, *arguments)[0]


def timed_call(work: Callable[..., T], *arguments: object) -> tuple[float, T]:
    """Call `work` and return its CPU time in milliseconds and its result."""
    began = time.process_time()
    result = work(*arguments)
    return 1000 * (time.process_time() - began), result
