"""What is in a MIDI file, worked out here or, for big files from strangers, in a child process with limits."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, ParamSpec, TypeVar

from consort_kit.child import ChildLimits, run_in_child
from consort_music.collector import collector_paused
from consort_music.midi.reader import Limits, read_midi
from consort_music.midi.summary import summarize

P = ParamSpec("P")
T = TypeVar("T")

MAX_LISTED = 100
"""Tempo changes, signatures and warnings that a description holds; what is left out is counted."""

SMALL_BYTES = 256 * 1024
"""Up to this size a file is read in the service: that takes some 50 ms at the worst."""

READING = ChildLimits(cpu_s=5, memory_bytes=512 * 1024 * 1024)


def describe(content: bytes, max_bytes: int) -> dict[str, Any]:
    with collector_paused():  # until the events, which it would look through, are gone again
        return asdict(summarize(read_midi(content, Limits(max_bytes=max_bytes)), max_items=MAX_LISTED))


async def with_care(size: int, limits: ChildLimits, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run work on a file of this size where it can do no harm."""
    if size <= SMALL_BYTES:
        return await asyncio.to_thread(function, *args, **kwargs)
    return await run_in_child(limits, function, *args, **kwargs)
