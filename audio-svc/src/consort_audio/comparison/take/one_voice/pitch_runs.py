"""The notes of one voice, joined where the pitch stays the same.

Where the pitch changes, a new note is certain. Where it stays, soft attacks are easily missed or invented: there the
reference helps (`repeated_notes`). So takes are first aligned by their runs of equal pitch.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from consort_audio.comparison.reference.expected_music import ExpectedMusic, ExpectedNote
from consort_audio.signals.played_notes import PlayedNote

_LONGEST_GAP_S = 0.4


class PitchRun(NamedTuple):
    note: PlayedNote
    """From the start of the first part to the end of the last, with the mean pitch."""
    parts: tuple[PlayedNote, ...]


def join_equal_pitches(notes: Sequence[PlayedNote], tuning: float) -> list[PitchRun]:
    """Join neighbours whose pitch rounds to the same semitone, unless there is a long rest between them."""
    groups: list[list[PlayedNote]] = []
    for note in sorted(notes):
        before = groups[-1][-1] if groups else None
        if (
            before is not None
            and round(before.pitch - tuning) == round(note.pitch - tuning)
            and note.start - before.end <= _LONGEST_GAP_S
        ):
            groups[-1].append(note)
        else:
            groups.append([note])
    return [PitchRun(_joined(group), tuple(group)) for group in groups]


def _joined(notes: Sequence[PlayedNote]) -> PlayedNote:
    lengths = [max(note.end - note.start, 0.01) for note in notes]
    total = sum(lengths)
    pitch = sum(note.pitch * length for note, length in zip(notes, lengths, strict=True)) / total
    confidence = max(note.confidence for note in notes)
    velocities = [note.velocity for note in notes if note.velocity is not None]
    end = max(note.end for note in notes)
    return PlayedNote(notes[0].start, end, pitch, confidence, max(velocities) if velocities else None)


class ExpectedRun(NamedTuple):
    first: int
    """Index of the first expected note."""
    size: int


def join_expected(music: ExpectedMusic) -> tuple[ExpectedMusic, list[ExpectedRun]]:
    """Return the music of one voice with neighbours of equal pitch joined, and which notes each run has."""
    runs: list[ExpectedRun] = []
    notes: list[ExpectedNote] = []
    for index, note in enumerate(music.notes):
        if notes and notes[-1].pitch == note.pitch:
            notes[-1] = notes[-1]._replace(end=note.end)
            runs[-1] = runs[-1]._replace(size=runs[-1].size + 1)
        else:
            notes.append(note)
            runs.append(ExpectedRun(index, 1))
    return replace(music, notes=tuple(notes)), runs
