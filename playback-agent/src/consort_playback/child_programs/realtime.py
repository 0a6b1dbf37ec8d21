"""Makes this process punctual: real-time priority, no garbage collection pauses, and idle cores that wake quickly."""

import gc
import os
import struct
import sys
from contextlib import suppress

PRIORITY = 1
"""Above every ordinary process, and below the threads that produce sound, which must not wait for this process."""
_MAX_SPIN_US = 2_000_000
WAKE_UP_LATENCIES_US = (20, 0)
"""The wake-up latencies requested from Linux, one after each oversleep: 20 allows only light sleep, 0 allows none."""
LATENCY_DEVICE = "/dev/cpu_dma_latency"


def prepare() -> tuple[bool, str]:
    """Turn off garbage collection and set real-time priority.

    Return whether the priority was set, and a text: the priority, or the reason why it was not set.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    result = set_realtime_priority()
    if result[0]:
        _limit_spinning()
    return result


def set_realtime_priority() -> tuple[bool, str]:
    """Return whether real-time priority was set, and a text: the priority, or the reason why it was not set."""
    if sys.platform == "win32":  # not tested on Windows
        return False, "Windows has no SCHED_FIFO; notes are sent at ordinary priority"
    if not hasattr(os, "sched_setscheduler"):
        return False, "this system has no SCHED_FIFO for programs; notes are sent at ordinary priority"
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except PermissionError:
        return False, "not allowed: give your user real-time priority (Linux: group `audio`, `rtprio` in limits.conf)"
    except OSError as error:
        return False, f"rejected by the system: {error.strerror}"
    return True, f"SCHED_FIFO, priority {PRIORITY}"


def _limit_spinning() -> None:
    """Let the kernel kill this process if it spins for 2 seconds: rtmidi can spin forever if its server has died."""
    import resource

    limit = getattr(resource, "RLIMIT_RTTIME", None)
    if limit is not None:
        resource.setrlimit(limit, (_MAX_SPIN_US, _MAX_SPIN_US))


class LightSleep:
    """Keeps idle cores out of deep sleep, from which they wake up late.

    Linux does this as long as `/dev/cpu_dma_latency` is held open. It costs power, so it is requested only after the
    process has overslept, only at the level needed, and only shortly before a message is due. The receiving program
    benefits too if it runs on these cores. Without permission to open the device, nothing happens.
    """

    def __init__(self, device: str = LATENCY_DEVICE) -> None:
        self._device = device
        self._level = 0
        """How many of `WAKE_UP_LATENCIES_US` have been needed so far; 0 requests nothing."""
        self._handle: int | None = None

    def report_oversleep(self) -> None:
        """Request lighter sleep than before, because the process has overslept."""
        if self._level < len(WAKE_UP_LATENCIES_US):
            self._level += 1
            self.end()
            self.begin()

    def begin(self) -> None:
        if self._level and self._handle is None:
            with suppress(OSError):
                self._handle = os.open(self._device, os.O_WRONLY)
                os.write(self._handle, struct.pack("i", WAKE_UP_LATENCIES_US[self._level - 1]))

    def end(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
