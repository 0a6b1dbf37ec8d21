"""Summarize a MIDI file for get_midi. Runs in a child process for large files, so it imports little."""

from dataclasses import asdict
from typing import Any

from consort_music.gc_pause import gc_paused
from consort_music.midi.model import MidiFile
from consort_music.midi.reader import ReaderLimits, read_midi
from consort_music.midi.summary import summarize

MAX_LISTED = 100
"""The largest number of tempo changes, signatures or warnings in a summary. The summary counts those left out."""


def summarize_bytes(content: bytes, max_bytes: int) -> dict[str, Any]:
    """Return the summary as JSON data. Raise MusicError if the bytes are not a MIDI file within the limits."""
    with gc_paused():  # reading allocates many events, which are freed together at the end
        return summarize_parsed(read_midi(content, ReaderLimits(max_bytes=max_bytes)))


def summarize_parsed(file: MidiFile) -> dict[str, Any]:
    return asdict(summarize(file, max_items=MAX_LISTED))
