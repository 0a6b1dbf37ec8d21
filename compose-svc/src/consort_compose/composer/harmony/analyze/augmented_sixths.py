"""Find augmented sixth chords: chords with the flat sixth degree and the raised fourth degree.

They sound like a dominant seventh chord on the flat sixth degree. Two things distinguish them:

- the spelling: in C, F sharp above A flat, not G flat;
- the resolution: both tones move outward by a semitone, to the dominant or to a cadential six-four chord.

A chord that resolves this way is an augmented sixth in any spelling. Another chord is an augmented sixth only if
it is spelled as one and does not lead to the Neapolitan. The spelling of music from MIDI is only a guess and is
ignored. Under a chord symbol (Ab7) only the spelling decides.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from consort_compose.composer.harmony.degree_chords import DegreeChord, chord_on
from consort_compose.composer.harmony.sounding_notes import usual_spelling
from consort_music.keys import Key
from consort_music.pitch import STEPS
from consort_music.score import Note

_FLAT_SIXTH, _RAISED_FOURTH, _FIFTH, _SECOND, _NEAPOLITAN = 8, 6, 7, 2, 1
_KINDS = {
    frozenset((8, 0, 6)): ("It+6", "7"),
    frozenset((8, 0, 2, 6)): ("Fr+6", "7b5"),
    frozenset((8, 0, 3, 6)): ("Ger+6", "7"),
}
"""Keyed by the tones in semitones above the tonic: the name, and the suffix of the chord with the same sound."""
_SIXTH = 5
"""Number of letters from the lower to the upper note of a sixth (A to F). A seventh has 6."""


class ChordStretch(NamedTuple):
    """A stretch with one chord. `root` and `bass` are in semitones above the tonic."""

    start: Fraction
    notes: Sequence[Note]
    root: int | None
    bass: int | None
    is_named: bool
    """Whether there is a chord symbol above it."""

    @property
    def at_start(self) -> list[Note]:
        return [note for note in self.notes if note.start <= self.start < note.end]


def find_augmented_sixths(stretches: Sequence[ChordStretch], key: Key, is_spelled: bool) -> list[DegreeChord | None]:
    """Return for each stretch its augmented sixth chord, or None if it is another chord.

    `is_spelled` is whether the spelling of the notes is known (not for MIDI).
    """
    kinds = [_kind(stretch, key.tonic) for stretch in stretches]
    found: list[DegreeChord | None] = []
    for index, (stretch, kind) in enumerate(zip(stretches, kinds, strict=True)):
        chord = None
        if kind is not None:
            after = next((place for place in range(index + 1, len(kinds)) if kinds[place] is None), None)
            following = None if after is None else stretches[after]
            is_written = is_spelled and _is_sixth(stretch.notes, key.tonic)
            is_neapolitan_dominant = following is not None and following.root == _NEAPOLITAN
            is_heard = not stretch.is_named and _resolves_outward(stretch, following, key.tonic)
            if is_heard or (is_written and not is_neapolitan_dominant):
                name, suffix = kind
                same_sound = chord_on(6, suffix, minor=key.is_minor, alteration=-1, function="S")
                chord = replace(same_sound, degree=name)
        found.append(chord)
    return found


def _kind(stretch: ChordStretch, tonic: int) -> tuple[str, str] | None:
    """Return the name and suffix for the tones of a stretch, or None if they are no augmented sixth.

    All tones are tried first, then those at the start. With the second degree in the bass, the result is None, because
    the tones of the French sixth are then V7/V with a lowered fifth.
    """
    if stretch.bass == _SECOND:
        return None
    for notes in (stretch.notes, stretch.at_start):
        kind = _KINDS.get(frozenset((note.midi - tonic) % 12 for note in notes))
        if kind is not None:
            return kind
    return None


def _is_sixth(notes: Sequence[Note], tonic: int) -> bool:
    """Return whether the flat sixth degree and the raised fourth degree above it are spelled as a sixth."""
    low, high = (usual_spelling(notes, (tonic + degree) % 12) for degree in (_FLAT_SIXTH, _RAISED_FOURTH))
    return low is not None and high is not None and (STEPS.index(high[0]) - STEPS.index(low[0])) % len(STEPS) == _SIXTH


def _resolves_outward(stretch: ChordStretch, following: ChordStretch | None, tonic: int) -> bool:
    if following is None or not (following.root == _FIFTH or (following.root, following.bass) == (0, _FIFTH)):
        return False
    reached = {note.midi for note in following.at_start}
    falls = {(note.midi - tonic) % 12 for note in stretch.notes if note.midi - 1 in reached}
    rises = {(note.midi - tonic) % 12 for note in stretch.notes if note.midi + 1 in reached}
    return _FLAT_SIXTH in falls and _RAISED_FOURTH in rises
