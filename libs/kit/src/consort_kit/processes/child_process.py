"""Run a function on an untrusted file in a child process with limited CPU time and memory.

A crash, an endless loop or too much memory in the child does not affect the service. This is no protection against
foreign code: the child may use files and the network, and the service unpickles its result.

The function is pickled by its module and name, so the child imports the function's module. That module should not
import the web framework or the database. Linux limits CPU time and memory, macOS only CPU time (untested). On Windows
(untested) the child is only killed after a fixed time.
"""

import asyncio
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from consort_kit.errors import InvalidInput
from consort_kit.processes.child_resource_limits import ChildLimits
from consort_music.texts.visible_text import add_removals, with_removals

P = ParamSpec("P")
T = TypeVar("T")

_START_S = 10.0
"""Time in which the child starts Python and imports the module, also on a busy machine. The work has its own time."""


async def run_within_limits(
    size: int, limits: ChildLimits, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Return the function's result. It runs in a thread if `size`, the size of its input, is small, else in a child."""
    if size <= limits.max_size_without_child:
        return await asyncio.to_thread(function, *args, **kwargs)
    return await run_in_child(limits, function, *args, **kwargs)


async def run_in_child(limits: ChildLimits, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the function's result or raise its exception. Raise TOO_COMPLEX if the child exceeds a limit or dies.

    The child is killed if the call is cancelled.
    """
    child = _Child(pickle.dumps((limits, with_removals, (function, *args), kwargs)), _START_S + 4 * limits.cpu_s)
    try:
        done = await asyncio.to_thread(child.run)
    finally:
        child.kill()
    if done is None:
        raise too_complex(limits)
    ok, value = done
    if not ok:
        raise value
    result, removals = cast(tuple[T, list[str]], value)
    add_removals(removals)
    return result


class _Child:
    """A child process that runs in one thread and may be killed from another."""

    def __init__(self, job: bytes, timeout_s: float) -> None:
        self._job = job
        self._timeout_s = timeout_s
        self._process: subprocess.Popen[bytes] | None = None
        self._is_killed = False
        self._starting = threading.Lock()

    def run(self) -> tuple[bool, Any] | None:
        """Return whether the function succeeded, and its result or exception, or None if the child did not finish."""
        with self._starting:
            if self._is_killed:
                return None
            self._process = start_child("consort_kit.processes.child_main")
        with self._process as process:
            try:
                output, _ = process.communicate(self._job, self._timeout_s)
            except subprocess.TimeoutExpired:
                return None
            finally:
                process.kill()
        if process.returncode != 0 or not output:
            return None
        done: tuple[bool, Any] = pickle.loads(output)
        return done

    def kill(self) -> None:
        """Kill the child if it runs, and otherwise prevent its start."""
        with self._starting:
            self._is_killed = True
        if self._process is not None:
            self._process.kill()


def too_complex(limits: ChildLimits) -> InvalidInput:
    return InvalidInput(
        f"Reading this takes over {limits.cpu_s} s or {limits.memory_bytes // 2**20} MB. Send something simpler.",
        code="TOO_COMPLEX",
        suggestions=["a file with fewer events"],
    )


def start_child(module: str, stderr: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    """Start a Python process that calls `main` of the module, with pipes and without our secrets."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG", "TZ") if name in os.environ}
    kept["OPENBLAS_NUM_THREADS"] = "1"  # numpy would reserve address space per core, and address space is limited
    return subprocess.Popen(
        [sys.executable, "-I", "-c", f"from {module} import main; main()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=kept,  # the child must not see tokens or passwords
    )
