"""Moving keys by intervals, and choosing the spelling of an interval.

The place of a name on the line of fifths (… F -1, C 0, G 1, D 2 …) is the number of sharps of the major key on it. An
interval moves every name by the same number of places, so it also says how many sharps a piece gains.
"""

from collections.abc import Iterable

from consort_music.intervals import Interval, between, transpose, usual_interval
from consort_music.keys import Key
from consort_music.pitch import Pitch

_OCTAVE = 12
_LETTERS = 7


def fifths(interval: Interval) -> int:
    """Return how many places an interval moves a name along the line of fifths: 1 for P5, 2 for M2, -1 for P4."""
    return 7 * interval.semitones - 12 * interval.steps


def moved_tone(step: str, alter: int, interval: Interval) -> tuple[str, int]:
    """Move a note name without an octave. A triple accidental is spelled from the next letter."""
    octaves = interval.steps // _LETTERS
    within = Interval(interval.steps - _LETTERS * octaves, interval.semitones - _OCTAVE * octaves)
    tone = transpose(Pitch(step, alter, 4), within)
    return tone.step, tone.alter


def transposed_key(key: Key, interval: Interval) -> Key:
    """Return the key of the same mode an interval away; raises INVALID_PITCH for a tonic beyond double accidentals."""
    step, alter = moved_tone(key.step, key.alter, interval)
    return Key(step, alter, key.mode)


def between_keys(one: Key, other: Key) -> Interval:
    """Return the shortest interval from one tonic to the other, as it is spelled; a tritone leads down."""
    semitones = (other.tonic - one.tonic + 6) % _OCTAVE - 6
    start = Pitch(one.step, one.alter, 4)
    ends = (Pitch(other.step, other.alter, octave) for octave in (3, 4, 5))
    return next(interval for end in ends if (interval := between(start, end)).semitones == semitones)


def readable_interval(semitones: int, positions: Iterable[int]) -> Interval:
    """Return the interval of so many semitones that leads to the fewest sharps and flats.

    `positions` are places on the line of fifths, such as a key's `sharps` or the roots of chords.
    """
    usual = usual_interval(semitones)
    if semitones % _OCTAVE == 0:
        return usual
    places = list(positions)
    spellings = [usual, *(Interval(usual.steps + letters, semitones) for letters in (1, -1))]
    return min(spellings, key=lambda interval: sum(abs(place + fifths(interval)) for place in places))
