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
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from consort_kit.errors import InvalidInput
from consort_kit.processes.child_resource_limits import ChildLimits

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
    """Return the function's result or raise its exception. Raise TOO_COMPLEX if the child exceeds a limit or dies."""
    job = pickle.dumps((limits, function, args, kwargs))
    done = await asyncio.to_thread(_run, job, limits)
    if done is None:
        raise InvalidInput(
            f"Reading this takes over {limits.cpu_s} s or {limits.memory_bytes // 2**20} MB. Send something simpler.",
            code="TOO_COMPLEX",
            suggestions=["a file with fewer events"],
        )
    ok, value = done
    if not ok:
        raise value
    result: T = value
    return result


def _run(job: bytes, limits: ChildLimits) -> tuple[bool, Any] | None:
    """Return whether the function succeeded, and its result or exception. If the child did not finish, return None."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG", "TZ") if name in os.environ}
    kept["OPENBLAS_NUM_THREADS"] = "1"  # numpy would reserve address space per core, and address space is limited
    try:
        child = subprocess.run(
            [sys.executable, "-I", "-c", "from consort_kit.processes.child_main import main; main()"],
            input=job,
            capture_output=True,
            env=kept,  # the child must not see tokens or passwords
            timeout=_START_S + 4 * limits.cpu_s,
        )
    except subprocess.TimeoutExpired:
        return None
    if child.returncode != 0 or not child.stdout:
        return None
    done: tuple[bool, Any] = pickle.loads(child.stdout)
    return done
