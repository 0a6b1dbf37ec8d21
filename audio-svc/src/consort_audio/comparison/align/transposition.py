"""Find the tuning of a take, and whether it is in another octave or key than expected.

A take that is an octave too low throughout is one remark, not a fault for every note. The same holds for another key
(a transposing instrument), but only if the notes then fit well and did not fit before: some wrong notes in the right
key are likelier than another key that fits a little better.
"""

import math
from collections.abc import Sequence

from consort_audio.comparison.align.onset_groups import OnsetGroup
from consort_audio.comparison.align.position_path import Path, find_path
from consort_audio.signals.played_notes import PlayedNote

_FITS = 0.6
"""Share of the best possible score from which a take needs no transposition."""
_MUST_GAIN = 0.25
_LEAST_NOTES = 5
_MOST_TRIED = 60
"""Groups of the take that are tried in every key."""
_OCTAVES = (-12, 12, -24, 24, -36, 36)
_KEYS = (-1, 1, -2, 2, -3, 3, -5, 5, -7, 7, -4, 4, -9, 9, -6, 6)


def tuning_offset(notes: Sequence[PlayedNote]) -> float:
    """Return how far the take is from equal temperament at A4 = 440 Hz, in semitones from -0.5 to 0.5.

    It is the circular mean of the fractions of the pitches, weighted by length and confidence. Notes of whole pitch
    give 0.
    """
    x = y = 0.0
    for note in notes:
        weight = max(note.confidence, 0.05) * min(max(note.end - note.start, 0.02), 1.0)
        x += weight * math.cos(2 * math.pi * note.pitch)
        y += weight * math.sin(2 * math.pi * note.pitch)
    return math.atan2(y, x) / (2 * math.pi) if abs(x) + abs(y) > 1e-9 else 0.0


def fits(path: Path, expected: Sequence[OnsetGroup], played: Sequence[OnsetGroup]) -> bool:
    """Return whether a path without times is good enough for a take that is not transposed."""
    return path.score >= _FITS * max(1, min(len(expected), len(played)))


def find_transposition(
    expected: Sequence[OnsetGroup], played: Sequence[OnsetGroup], is_polyphonic: bool, is_any_octave: bool
) -> int:
    """Return the semitones by which the take is higher than expected: 0 unless another number fits clearly better."""
    if not expected or not played:
        return 0
    tried = played[:_MOST_TRIED]
    best_possible = max(1, min(len(tried), len(expected)))

    def fit(semitones: int) -> float:
        moved = [group._replace(pitches=tuple(pitch - semitones for pitch in group.pitches)) for group in tried]
        return find_path(expected, moved, None, is_polyphonic).score / best_possible

    here = fit(0)
    if here >= _FITS:
        return 0
    octaves = {shift: fit(shift) for shift in _OCTAVES}
    best = max(octaves, key=lambda shift: octaves[shift])
    needed = here + _MUST_GAIN
    if octaves[best] > (here if is_any_octave else needed) and (is_any_octave or len(tried) >= 3):
        if octaves[best] >= _FITS or len(tried) < _LEAST_NOTES:
            return best
        needed = octaves[best] + _MUST_GAIN
        octave = best
    else:
        octave = 0
    if len(tried) < _LEAST_NOTES:
        return octave
    keys = {shift + octave: fit(shift + octave) for shift in _KEYS}
    best = max(keys, key=lambda shift: keys[shift])
    return best if keys[best] > max(needed, _FITS) else octave
