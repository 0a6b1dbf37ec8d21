"""The soprano of a chorale as input for the harmony engine, and its key, found by our key finding."""

from fractions import Fraction

from consort_compose.composer.harmony.melody_grid import GridBeat, GridNote, MelodyGrid
from consort_music.key_finding.pitch_classes import KeyGuess, pitch_class_weights, rank_keys
from consort_music.metre import Metre
from evaluation.corpora.chorales.scores import TICKS, Chorale


def soprano_grid(chorale: Chorale, fermatas: bool = True) -> MelodyGrid:
    """Return the soprano as a grid with the beats of `chorale.beats`.

    The two parts of a bar that a repeat sign divides count as one bar.
    """
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
        beats.append(GridBeat(start, stop, place, len(metre.beats), bar, metre.strength(offset)))
    notes = tuple(GridNote(onset, onset + length, pitch) for onset, length, pitch in chorale.voices["soprano"])
    return MelodyGrid(notes, tuple(beats), TICKS, tuple(chorale.fermatas) if fermatas else ())


def soprano_key(chorale: Chorale, signature: bool = True) -> KeyGuess:
    """Return the key of the soprano, found with or without its key signature."""
    notes = chorale.voices["soprano"]
    weights = pitch_class_weights([(pitch, duration) for _, duration, pitch in notes])
    return rank_keys(weights, notes[0][2] % 12, notes[-1][2] % 12, chorale.sharps if signature else None)[0]
