"""Hear the notes of several voices with the reference in mind.

Notes are those of the network basic-pitch, aligned with the reference. Then

- an expected note that was not found counts as played, unless its chance (`expected_note`) is very low;
- a note that doubles another one in octaves (`octave_doublings`) counts as missing only if another was played instead;
- a note of the right pitch that begins far from its time begins when it was due, if it is heard there;
- a note that nobody expected counts only if its chance (`unexpected_note`) is very high, or high where an expected
  note of a neighbouring pitch is missing: then it was played instead.

Lengths and tuning are not judged: the pedal and the other notes hide them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import NamedTuple

import numpy as np

from consort_audio.comparison.align.alignment import Alignment, align
from consort_audio.comparison.align.note_pairs import NotePair, PlayedPass
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.take.several_voices.expected_note import MISSING_BELOW, chance_of_expected
from consort_audio.comparison.take.several_voices.octave_doublings import octave_doublings
from consort_audio.comparison.take.several_voices.unexpected_note import EXTRA_FROM, WRONG_FROM, chance_of_unexpected
from consort_audio.neural.note_posteriors import NotePosteriors, note_posteriors
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND, onset_strength
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording
from consort_audio.transcription.polyphonic import polyphonic_notes

_FAR_OFF_S = 0.14
"""A note that begins so far from its time may be another one: its echo, or the same key struck again."""
_ANOTHER_S = 0.3
"""A note that begins even farther from its time is another one."""
_HEARD_WHEN_DUE = 0.1
_HEARD_CONFIDENCE = 0.5
_SURE, _FEW = 0.9, 2
"""A pass of so few notes counts only if one of them has this confidence."""
_OUTSIDE_S = 1.0
"""How far before the first and after the last placed note expected ones are looked for."""
_HEARD_OUTSIDE = 0.5
_INSTEAD_SEMITONES, _INSTEAD_S = 3, 0.1
_QUIET_DB = 24.0
"""What is so much quieter than the usual note was not played: noise after the end."""


class _Listened(NamedTuple):
    used: set[int]
    """Indexes of the notes that are expected ones."""
    certain: list[PlayedNote]
    """Expected notes that were played."""
    missing: list[PlayedNote]
    """Expected notes that were not, at the time at which they were due."""
    hidden: list[PlayedNote]
    """Expected notes that were not heard, but double others."""


def hear_several_voices(recording: Recording, music: ExpectedMusic) -> list[PlayedNote] | None:
    """Return the notes, or None if the network is not installed."""
    notes = polyphonic_notes(recording)
    posteriors = recording.feature("note posteriors", note_posteriors)
    if notes is None or posteriors is None or not len(posteriors.note):
        return None
    alignment = _without_doubtful_passes(align(music, notes))
    listened = _listen_for_expected(music, alignment, posteriors)
    unexpected = [note for index, note in enumerate(alignment.played) if index not in listened.used]
    believed = list(_believed(_loud(recording, unexpected, listened.certain), listened))
    doubled = [note for note in listened.hidden if not any(_is_instead(other, note) for other in believed)]
    return sorted([*listened.certain, *doubled, *believed])


def _without_doubtful_passes(alignment: Alignment) -> Alignment:
    """Return the alignment without passes of one or two doubtful notes: strings that still ring after the end."""
    passes = [
        each
        for each in alignment.passes
        if len(each.pairs) > _FEW or any(alignment.played[pair.played].confidence >= _SURE for pair in each.pairs)
    ]
    return replace(alignment, passes=passes or alignment.passes)


def _listen_for_expected(music: ExpectedMusic, alignment: Alignment, posteriors: NotePosteriors) -> _Listened:
    found = _Listened(set(), [], [], [])
    doublings = octave_doublings(music.notes)
    covered = {index for each in alignment.passes for index in range(each.first, each.last + 1)}
    for each in alignment.passes:
        right = {pair.expected: pair.played for pair in each.pairs if _is_right(music, alignment, pair)}
        for index in _near_pass(music, each, covered):
            note = music.notes[index]
            due, end = each.expected_time(note.start), each.expected_time(note.end)
            pitch = note.pitch + alignment.semitones
            heard = alignment.played[right[index]] if index in right else None
            away = abs(heard.start - due) if heard is not None else _ANOTHER_S
            chance = 1.0 if away <= _FAR_OFF_S else chance_of_expected(posteriors, pitch, due, end - due)
            at_due = PlayedNote(due, end, float(pitch), round(max(chance, _HEARD_CONFIDENCE), 2))
            if heard is not None and away < _ANOTHER_S:
                found.used.add(right[index])
                is_moved = away > _FAR_OFF_S and chance >= _HEARD_WHEN_DUE
                found.certain.append(heard._replace(start=due) if is_moved else heard)
            elif chance >= (MISSING_BELOW if index in covered else _HEARD_OUTSIDE):
                found.certain.append(at_due)
            elif heard is not None:
                found.used.add(right[index])
                found.certain.append(heard)
            elif index in covered:
                (found.hidden if index in doublings else found.missing).append(at_due)
    return found


def _is_right(music: ExpectedMusic, alignment: Alignment, pair: NotePair) -> bool:
    return music.notes[pair.expected].pitch == alignment.pitches[pair.played]


def _near_pass(music: ExpectedMusic, each: PlayedPass, covered: set[int]) -> Iterator[int]:
    """Return the expected notes of a pass, and those shortly before and after it that are in no pass."""
    begin, end = music.notes[each.first].start - _OUTSIDE_S, music.notes[each.last].start + _OUTSIDE_S
    for index, note in enumerate(music.notes):
        if each.first <= index <= each.last or (index not in covered and begin <= note.start <= end):
            yield index


def _loud(recording: Recording, notes: Sequence[PlayedNote], certain: Sequence[PlayedNote]) -> list[PlayedNote]:
    """Return the notes that are not much quieter than the usual one of those that are certain."""
    level = 20 * np.log10(onset_strength(recording).level + 1e-6)

    def loudest(note: PlayedNote) -> float:
        first = min(max(round(note.start * FRAMES_PER_SECOND), 0), len(level) - 1)
        return float(level[first : max(round(note.end * FRAMES_PER_SECOND), first + 1)].max())

    if not certain:
        return list(notes)
    usual = median(loudest(note) for note in certain)
    return [note for note in notes if loudest(note) >= usual - _QUIET_DB]


def _believed(unexpected: Sequence[PlayedNote], listened: _Listened) -> Iterator[PlayedNote]:
    """Return the notes that nobody expected and that are surely there."""
    for note in unexpected:
        is_instead = any(_is_instead(note, other) for other in (*listened.missing, *listened.hidden))
        if chance_of_unexpected(note, listened.certain) >= (WRONG_FROM if is_instead else EXTRA_FROM):
            yield note


def _is_instead(note: PlayedNote, other: PlayedNote) -> bool:
    """Return whether a note may have been played instead of another one that was expected."""
    return abs(note.start - other.start) <= _INSTEAD_S and abs(note.pitch - other.pitch) <= _INSTEAD_SEMITONES
