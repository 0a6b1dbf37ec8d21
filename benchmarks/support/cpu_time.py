"""Measure the CPU time of a call in this process, or of this process and its children."""

import contextlib
import time
from collections.abc import Callable
from typing import TypeVar

import psutil

T = TypeVar("T")


def cpu_ms(work: Callable[..., object], *arguments: object) -> float:
    """Call `work` and return its CPU time in milliseconds."""
    return timed_call(work, *arguments)[0]


def timed_call(work: Callable[..., T], *arguments: object) -> tuple[float, T]:
    """Call `work` and return its CPU time in milliseconds and its result."""
    began = time.process_time()
    result = work(*arguments)
    return 1000 * (time.process_time() - began), result


def cpu_s_with_children(program: str | None = None) -> float:
    """Return the CPU seconds that this process and its living children used so far; only those of a program if named.

    The clock of other processes advances in steps of 10 ms: measure many calls together.
    """
    this, used_s = psutil.Process(), 0.0
    for each in (this, *this.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            if program is None or each.name() == program:
                used_s += sum(each.cpu_times()[:2])
    return used_s
