"""Transpose keys and note names, and choose the spelling of an interval.

The position of a note name on the line of fifths (… F -1, C 0, G 1, D 2 …) is the number of sharps in its major key.
An interval moves all names by the same number of positions, which is also the number of sharps that a piece gains.
"""

from collections.abc import Iterable

from consort_music.intervals import Interval, interval_between, transpose, usual_interval
from consort_music.keys import Key
from consort_music.pitch import Pitch

_OCTAVE = 12
_LETTERS = 7


def fifths_of(interval: Interval) -> int:
    """Return by how many positions an interval moves a name on the line of fifths: 1 for P5, 2 for M2, -1 for P4."""
    return 7 * interval.semitones - 12 * interval.steps


def transpose_note_name(step: str, alter: int, interval: Interval) -> tuple[str, int]:
    """Transpose a note name without octave. A result with three accidentals is respelled with a neighbouring letter."""
    octaves = interval.steps // _LETTERS
    within = Interval(interval.steps - _LETTERS * octaves, interval.semitones - _OCTAVE * octaves)
    tone = transpose(Pitch(step, alter, 4), within)
    return tone.step, tone.alter


def transpose_key(key: Key, interval: Interval) -> Key:
    """Return the key of the same mode, with its tonic moved by an interval.

    Raise INVALID_PITCH if the tonic of `key` has more than two accidentals.
    """
    step, alter = transpose_note_name(key.step, key.alter, interval)
    return Key(step, alter, key.mode)


def interval_between_keys(one: Key, other: Key) -> Interval:
    """Return the shortest interval from the tonic of `one` to that of `other`, as spelled. A tritone descends."""
    semitones = (other.tonic - one.tonic + 6) % _OCTAVE - 6
    start = Pitch(one.step, one.alter, 4)
    ends = (Pitch(other.step, other.alter, octave) for octave in (3, 4, 5))
    return next(interval for end in ends if (interval := interval_between(start, end)).semitones == semitones)


def readable_interval(semitones: int, positions: Iterable[int]) -> Interval:
    """Return the spelling of an interval that gives the fewest sharps and flats when `positions` are moved by it.

    `positions` are positions on the line of fifths, such as a key's `sharps` or the roots of chords.
    """
    usual = usual_interval(semitones)
    if semitones % _OCTAVE == 0:
        return usual
    places = list(positions)
    spellings = [usual, *(Interval(usual.steps + letters, semitones) for letters in (1, -1))]
    return min(spellings, key=lambda interval: sum(abs(place + fifths_of(interval)) for place in places))
