"""Pause Python's garbage collection."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause garbage collection while allocating many long-lived objects. This can halve the time.

    Objects in reference cycles are not freed until the pause ends. Several threads may use this at the same time:
    collection is always enabled again at the end. The pause is for the whole process, so it ends early when another
    thread that started its pause first leaves the context.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
