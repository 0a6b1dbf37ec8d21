"""What is in a MIDI file."""

from dataclasses import asdict
from typing import Any

from consort_kit.child import ChildLimits
from consort_music.collector import collector_paused
from consort_music.midi.reader import Limits, read_midi
from consort_music.midi.summary import summarize

MAX_LISTED = 100
"""Tempo changes, signatures and warnings that a description holds; what is left out is counted."""

READING = ChildLimits(cpu_s=5, memory_bytes=512 * 1024 * 1024)


def describe(content: bytes, max_bytes: int) -> dict[str, Any]:
    with collector_paused():  # until the events, which it would look through, are gone again
        return asdict(summarize(read_midi(content, Limits(max_bytes=max_bytes)), max_items=MAX_LISTED))
