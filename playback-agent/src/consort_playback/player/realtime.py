"""Being on time: real-time priority where the system allows it, no pauses of Python's own, cores that wake up fast."""

import gc
import os
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

PRIORITY = 1
"""Above every ordinary process, and below the threads that make sound, which must not wait for us."""
_SPINNING_TOO_LONG_US = 2_000_000
_WAKING_TIME_US = (20, 0)
"""What is asked of Linux, one after the other: to wake from light sleep only, and not to sleep at all."""
_WAKING_TIME_FILE = Path("/dev/cpu_dma_latency")


def prepare() -> tuple[bool, str]:
    """Whether this process has a real-time priority now, and what kind, or why not."""
    gc.collect()
    gc.freeze()
    gc.disable()
    found = _set_scheduler()
    if found[0]:
        _end_if_it_spins()
    return found


def allowed() -> tuple[bool, str]:
    """As `prepare` would find it; this process stays as it is."""
    code = "from consort_playback.player.realtime import _set_scheduler as s; print(*s(), sep=chr(10))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True)
    is_realtime, _, why = done.stdout.strip().partition("\n")
    return is_realtime == "True", why or "could not be found out"


def _set_scheduler() -> tuple[bool, str]:
    if sys.platform == "win32":  # untested there
        return False, "Windows has no SCHED_FIFO; notes leave at ordinary priority"
    if not hasattr(os, "sched_setscheduler"):
        return False, "this system has no SCHED_FIFO for programs; notes leave at ordinary priority"
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except PermissionError:
        return False, "not allowed: give your user real-time priority (Linux: group `audio`, `rtprio` in limits.conf)"
    except OSError as error:
        return False, f"refused by the system: {error.strerror}"
    return True, f"SCHED_FIFO, priority {PRIORITY}"


def _end_if_it_spins() -> None:
    """The kernel ends a real-time thread that never sleeps: rtmidi can spin for ever when its server has died."""
    import resource

    limit = getattr(resource, "RLIMIT_RTTIME", None)
    if limit is not None:
        resource.setrlimit(limit, (_SPINNING_TOO_LONG_US, _SPINNING_TOO_LONG_US))


class LightSleep:
    """Keeps idle cores from sleeping so deep that they wake up late: Linux does that as long as a file is held open.

    It costs power, so it is asked for only when a sleep was too long, as little as helps, and while music plays. It
    helps whoever hears us too: they sleep on the same cores. Who may not ask for it does without.
    """

    def __init__(self) -> None:
        self._level = 0
        self._held: int | None = None

    def overslept(self) -> None:
        if self._level < len(_WAKING_TIME_US):
            self._level += 1
            self.end()
            self.begin()

    def begin(self) -> None:
        if self._level and self._held is None:
            with suppress(OSError):
                self._held = os.open(_WAKING_TIME_FILE, os.O_WRONLY)
                os.write(self._held, struct.pack("i", _WAKING_TIME_US[self._level - 1]))

    def end(self) -> None:
        if self._held is not None:
            os.close(self._held)
            self._held = None
