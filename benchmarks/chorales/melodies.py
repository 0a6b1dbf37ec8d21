"""A chorale's soprano as the engine sees a melody, and its key as the engine finds it."""

from fractions import Fraction

from benchmarks.chorales.corpus import TICKS, Chorale
from consort_compose.composer.harmony.line import Beat, Line, LineNote
from consort_music.key_finding import KeyGuess, pitch_class_weights, rank_keys
from consort_music.metre import Metre


def line_of(chorale: Chorale, fermatas: bool = True) -> Line:
    """The soprano on the beats of `chorale.beats`; the two parts of a bar that a repeat divides are one bar."""
    places = {}
    bar = before = 0
    for index, (onset, numerator, denominator) in enumerate(chorale.measures):
        metre = Metre(numerator, denominator)
        end = chorale.measures[index + 1][0] if index + 1 < len(chorale.measures) else chorale.end
        full = int(metre.bar * TICKS)
        if index == 0:
            missing = max(full - (end - onset), 0)
        elif before and before + (end - onset) == full:
            missing = before
        else:
            missing = 0
            bar += 1
        before = end - onset if end - onset < full and not missing else 0
        places[onset] = (metre, missing, bar)
    beats = []
    for start, stop, _ in chorale.beats:
        onset = max(onset for onset in places if onset <= start)
        metre, missing, bar = places[onset]
        offset = Fraction(start - onset + missing, TICKS)
        place = int(metre.beat_number(offset)) - 1
        beats.append(Beat(start, stop, place, len(metre.beats), bar, metre.strength(offset)))
    notes = tuple(LineNote(onset, onset + length, pitch) for onset, length, pitch in chorale.voices["soprano"])
    return Line(notes, tuple(beats), TICKS, tuple(chorale.fermatas) if fermatas else ())


def key_of(chorale: Chorale, signature: bool = True) -> KeyGuess:
    """The key of the soprano, found with its signature or without."""
    notes = chorale.voices["soprano"]
    weights = pitch_class_weights([(pitch, duration) for _, duration, pitch in notes])
    return rank_keys(weights, notes[0][2] % 12, notes[-1][2] % 12, chorale.sharps if signature else None)[0]
