"""Rules of jazz: which chords are dominants, which chord prepares them, and which tensions a held note may be."""

from consort_compose.composer.harmony.degree_chords import MAJOR, DegreeChord
from consort_compose.composer.harmony.harmonize.slots.melody_demands import MelodyDemand

_FIFTH, _SEMITONE = 7, 1
_DOMINANT_SUFFIXES = ("7", "9", "13", "7b9", "7#9", "7sus4", "7b5")
_DOMINANT_TENSIONS = frozenset({1, 2, 3, 6, 8, 9})
"""Tensions of a dominant: b9, 9, #9, #11, b13 and 13, in semitones above the root."""
_BRIGHT_TENSIONS = frozenset({2, 6, 9})
"""Tensions of a tritone substitute: 9, #11 and 13."""
_SUSPENDED_TENSIONS = frozenset({2, 9})
"""Tensions of a suspended dominant: 9 and 13."""
_MAJOR_TENSIONS = frozenset({2, 6, 9})
"""Tensions of a major chord: 9, #11 and 13."""
_MINOR_TENSIONS = frozenset({2, 5})
"""Tensions of minor and half-diminished chords: 9 and 11."""


def is_dominant(chord: DegreeChord) -> bool:
    """Return whether the chord is a dominant seventh, ninth or thirteenth that leads on. In a blues none does."""
    return chord.suffix in _DOMINANT_SUFFIXES and bool(chord.resolves_to)


def is_prepared(before: DegreeChord, dominant: DegreeChord) -> bool:
    """Return whether `before` is the ii of a dominant, or of the dominant for which a tritone substitute stands."""
    interval = _SEMITONE if dominant.substitute == "tritone" else _FIFTH
    return before.family != MAJOR and (before.root - dominant.root) % 12 == interval


def clashes(demand: MelodyDemand, chord: DegreeChord) -> int:
    """Count the held notes that are a semitone from a tone of the chord and are no accepted tension.

    A note a semitone above a chord tone clashes even if it is a chord tone itself: C over Cmaj7.
    """
    tensions = accepted_tensions(chord)
    count = 0
    for degree in demand.held:
        if (degree - chord.root) % 12 in tensions:
            continue
        above = (degree - 1) % 12 in chord.tones
        below = (degree + 1) % 12 in chord.tones and degree not in chord.tones
        count += above or below
    return count


def accepted_tensions(chord: DegreeChord) -> frozenset[int]:
    """Return the tensions that a melody may hold over a chord, in semitones above the root."""
    if chord.substitute == "tritone":
        return _BRIGHT_TENSIONS
    if chord.suffix in _DOMINANT_SUFFIXES:
        return _SUSPENDED_TENSIONS if "sus" in chord.suffix else _DOMINANT_TENSIONS
    return _MAJOR_TENSIONS if chord.family == MAJOR else _MINOR_TENSIONS
