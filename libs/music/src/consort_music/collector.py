"""Rest for the garbage collector while millions of objects are made that all stay."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the collector from looking at what is being made over and over, in vain: up to half of the time.

    What is made must have no cycles, or they wait until afterwards. Threads that do this at once do no harm: whoever
    found the collector running starts it again.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
