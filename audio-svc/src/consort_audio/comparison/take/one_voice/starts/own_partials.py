"""Find where a note begins by its own partials: those that the notes before it do not have.

A soft note in the sound of the one before is heard late by a pitch tracker, which follows the louder of the two. Its
own partials rise when it begins: the start is where their sum reaches `_RISEN` of the way from the lowest to the
highest value around the start that was heard. If the pitch itself still rings from an earlier note, its partials fall
until the note begins. The note before may have been heard in parts, because a choir beats; those that would begin later
than this one are left out.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from consort_audio.analysis.pitch.track.pitch_track import to_hz
from consort_audio.comparison.align.alignment import align, due_times
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, Recording

_SIZE, _HOP = 2048, 220
_PARTIALS, _HIGHEST_HZ = 6, 8000.0
_SAME_HZ, _SAME_SHARE = 40.0, 0.035
"""Partials nearer than this to each other cannot be told apart: because of the window, and because of vibrato."""
_RISEN = 0.15
_CLEAR = 0.3
"""The lowest value must be below this share of the highest one."""
_REACH_S, _AFTER_S = 0.3, 0.12
_RINGS_S = 0.5
_SAME_PITCH = 0.7
_LEAST_EARLIER_S = 0.04
_TOUCHES_S = 0.03
"""Parts of one sound are not farther apart than this."""
_SHORTEST_S, _SHORTEST_PART_S = 0.03, 0.05
"""A note lasts at least so long before the next one begins; as a part of a sound, longer."""


def with_own_starts(recording: Recording, notes: Sequence[PlayedNote], music: ExpectedMusic) -> list[PlayedNote]:
    """Return the notes, earlier where their own partials rise earlier. Notes that repeat a pitch stay as they are.

    A note keeps its start if the earlier one is farther from its time in the music, or has no place there.
    """
    starts: dict[int, float] = {}
    for index in range(1, len(notes)):
        note, before = notes[index], notes[index - 1]
        if abs(before.pitch - note.pitch) < _SAME_PITCH or note.start - before.end > _REACH_S:
            continue
        first = max(note.start - _REACH_S, notes[_first_part(notes, index - 1)].start + _SHORTEST_S)
        start = _rise(recording, note, first, _ringing_others(notes[:index], note))
        if start is not None and start <= note.start - _LEAST_EARLIER_S:
            starts[index] = start
    if not starts:
        return list(notes)
    kept = _kept_places(notes, starts)
    due = {kept[place]: time for place, time in due_times(music, align(music, _moved(notes, starts))).items()}
    return _moved(
        notes,
        {
            index: start
            for index, start in starts.items()
            if index in due and abs(start - due[index]) <= abs(notes[index].start - due[index])
        },
    )


def _first_part(notes: Sequence[PlayedNote], index: int) -> int:
    """Return the first of the parts in which a note was heard: they have the same pitch and touch each other."""
    while index and _is_one_sound(notes[index - 1], notes[index]):
        index -= 1
    return index


def _is_one_sound(note: PlayedNote, after: PlayedNote) -> bool:
    return abs(note.pitch - after.pitch) < _SAME_PITCH and after.start - note.end < _TOUCHES_S


def _kept_places(notes: Sequence[PlayedNote], starts: Mapping[int, float]) -> list[int]:
    """Return the indexes of the notes without parts of an earlier note that would begin after the note that moves."""
    lost = {
        part
        for index, start in starts.items()
        for part in range(_first_part(notes, index - 1) + 1, index)
        if notes[part].start > start - _SHORTEST_PART_S
    }
    return [index for index in range(len(notes)) if index not in lost]


def _moved(notes: Sequence[PlayedNote], starts: Mapping[int, float]) -> list[PlayedNote]:
    """Return the notes with these earlier starts; the notes before them end there."""
    kept = _kept_places(notes, starts)
    found: list[PlayedNote] = []
    for index in kept:
        note = notes[index]._replace(start=starts.get(index, notes[index].start))
        if found and index in starts:
            found[-1] = found[-1]._replace(end=max(min(found[-1].end, note.start), found[-1].start + _SHORTEST_S))
        found.append(note)
    return found


def _ringing_others(earlier: Sequence[PlayedNote], note: PlayedNote) -> list[PlayedNote]:
    """Return the notes of other pitches that may still ring when a note begins."""
    return [
        each for each in earlier if each.end > note.start - _RINGS_S and abs(each.pitch - note.pitch) >= _SAME_PITCH
    ]


def _rise(recording: Recording, note: PlayedNote, first: float, ringing: Sequence[PlayedNote]) -> float | None:
    """Return when the note's own partials rise after a time, or None if that is not clear."""
    last = note.start + min(_AFTER_S, 0.6 * (note.end - note.start))
    places = _own_places(note.pitch, [each.pitch for each in ringing])
    if not places or last - first < 4 * _HOP / RATE:
        return None
    power = _sum_at(recording, first, last, places)
    bottom = int(np.argmin(power[: max(round((note.start - first) * RATE / _HOP), 1)]))
    top = bottom + int(np.argmax(power[bottom:]))
    rising = power[bottom : top + 1]
    lowest = float(rising.min())
    if lowest > _CLEAR * power[top]:
        return None
    below = np.flatnonzero(rising < lowest + _RISEN * (power[top] - lowest))
    return first + (bottom + int(below[-1]) + 1) * _HOP / RATE if len(below) else None


def _own_places(pitch: float, others: Sequence[float]) -> list[float]:
    """Return the bins of the partials of a pitch (MIDI number) that are not near a partial of another one."""
    hertz = to_hz(pitch)
    found = []
    for number in range(1, _PARTIALS + 1):
        partial = number * hertz
        near = max(_SAME_HZ, _SAME_SHARE * partial)
        if partial < _HIGHEST_HZ and all(_distance(partial, to_hz(other)) >= near for other in others):
            found.append(partial * _SIZE / RATE)
    return found


def _distance(partial: float, fundamental: float) -> float:
    """Return how far a frequency is from the nearest multiple of another one."""
    return abs(partial - max(round(partial / fundamental), 1) * fundamental)


def _sum_at(recording: Recording, first: float, last: float, places: Sequence[float]) -> Numbers:
    """Return the sum of the magnitudes at these bins every 10 ms between two times."""
    count = int((last - first) * RATE / _HOP) + 1
    begin = round(first * RATE) - _SIZE // 2
    samples = recording.samples[max(begin, 0) : begin + (count - 1) * _HOP + _SIZE]
    whole = np.zeros((count - 1) * _HOP + _SIZE, np.float32)
    whole[max(-begin, 0) : max(-begin, 0) + len(samples)] = samples
    frames = np.lib.stride_tricks.sliding_window_view(whole, _SIZE)[::_HOP]
    spectrum = np.abs(np.fft.rfft(frames * np.hanning(_SIZE), axis=1))
    total = np.zeros(count)
    for place in places:
        width = max(round(0.008 * place), 1)
        total += spectrum[:, round(place) - width : round(place) + width + 1].max(axis=1)
    return total
