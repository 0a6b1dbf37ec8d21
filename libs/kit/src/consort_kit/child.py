"""Work on files from strangers, done in a process of its own that may use only so much time and memory.

What a child can do to the service is to fail. The function must be found by module and name; it gets and gives what
can be pickled. Memory and CPU are limited by the system where it can (Linux; on macOS and Windows only the wall clock,
untested there).
"""

import asyncio
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from consort_kit.errors import InvalidInput

P = ParamSpec("P")
T = TypeVar("T")

_START_S = 10.0
"""For the interpreter to start and the module to be imported, on a busy machine; not counted as the work's time."""


@dataclass(frozen=True)
class ChildLimits:
    """What a child may use, and up to which size of the input it is not worth one."""

    cpu_s: int = 5
    memory_bytes: int = 512 * 1024 * 1024
    small: int = 256 * 1024
    """In bytes or characters: so little does no harm in the service, and starting a child takes longer."""


async def with_care(size: int, limits: ChildLimits, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Work on something of this size where it can do no harm: in a thread if it is small, else in a child."""
    if size <= limits.small:
        return await asyncio.to_thread(function, *args, **kwargs)
    return await run_in_child(limits, function, *args, **kwargs)


async def run_in_child(limits: ChildLimits, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The function's result, or the exception that it raised; InvalidInput (TOO_COMPLEX) when it went over a limit."""
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
    """None when the child was ended by a limit."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG", "TZ") if name in os.environ}
    kept["OPENBLAS_NUM_THREADS"] = "1"  # numpy's threads would reserve address space on every core, and it is limited
    try:
        child = subprocess.run(
            [sys.executable, "-I", "-c", "from consort_kit.child import main; main()"],
            input=job,
            capture_output=True,
            env=kept,  # no token, no password
            timeout=_START_S + 4 * limits.cpu_s,
        )
    except subprocess.TimeoutExpired:
        return None
    if child.returncode != 0 or not child.stdout:
        return None
    done: tuple[bool, Any] = pickle.loads(child.stdout)
    return done


def main() -> None:
    """In the child: do the one job on stdin."""
    limits, function, args, kwargs = pickle.load(sys.stdin.buffer)
    _limit(limits)
    try:
        answer = pickle.dumps((True, function(*args, **kwargs)))
    except MemoryError:
        sys.exit(1)
    except Exception as error:
        answer = pickle.dumps((False, error))
    sys.stdout.buffer.write(answer)


def _limit(limits: ChildLimits) -> None:
    if sys.platform == "win32":
        return
    import resource

    used = int(resource.getrusage(resource.RUSAGE_SELF).ru_utime) + 1  # imports do not count
    resource.setrlimit(resource.RLIMIT_CPU, (used + limits.cpu_s, used + limits.cpu_s + 1))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
