"""The threads of a service, and which of them still work for a call that has ended.

A thread cannot be stopped. `asyncio.to_thread` leaves it running when the call is cancelled, so `ServiceLimits` keeps
the slot of such a call until its threads have ended, and `/health` fails when no thread or slot is left.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 32

_WORK_OF_CALL: ContextVar["list[Future[object]] | None"] = ContextVar("work_of_call", default=None)


class CallThreads(ThreadPoolExecutor):
    """The default executor of a service's event loop. It knows the threads whose calls have ended."""

    def __init__(self, threads: int = THREADS) -> None:
        super().__init__(threads, "work")
        self._threads_at_most = threads
        self._overdue: dict[Future[object], float] = {}

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future = super().submit(fn, *args, **kwargs)
        if (work := _WORK_OF_CALL.get()) is not None:
            work.append(future)  # type: ignore[arg-type]  # only its end is of interest
        return future

    @contextmanager
    def work_of_call(self) -> Iterator["list[Future[object]]"]:
        """Collect the work that is handed to threads inside. The list keeps what has not ended when the call ends."""
        work: list[Future[object]] = []
        before = _WORK_OF_CALL.set(work)
        try:
            yield work
        finally:
            _WORK_OF_CALL.reset(before)
            work[:] = [each for each in work if not each.done() and not each.cancel()]
            for each in work:
                self._overdue[each] = time.monotonic()
                each.add_done_callback(lambda done: self._overdue.pop(done, None))

    def is_stuck(self, after_s: float) -> bool:
        """Return whether every thread has worked for at least `after_s` seconds for a call that has ended."""
        begun_before = time.monotonic() - after_s
        return sum(since <= begun_before for since in list(self._overdue.values())) >= self._threads_at_most
