"""Raise an error if a file does not count time in beats."""

from consort_music.errors import MusicError
from consort_music.midi.model import MidiFile


def require_ppq(file: MidiFile, purpose: str) -> int:
    """Return the ticks per quarter note. Raise MusicError (NEEDS_BEATS) if the file counts time in SMPTE frames.

    `purpose` is what needs beats, for the error message.
    """
    if file.ppq is None:
        raise MusicError(
            "NEEDS_BEATS",
            f"This file counts time in SMPTE frames and has no beats, which {purpose} needs. "
            "transpose, velocity, humanize, trim in ms, split and extract_tracks work on it.",
            ["humanize", "trim with unit ms"],
        )
    return file.ppq
