"""Augmented sixth chords: the flat sixth degree with the raised fourth above it, each a semitone from the fifth degree.

They sound like a dominant seventh on the flat sixth degree. How they are written tells them apart, F sharp over A flat
and not G flat; and where they go: outward, to the dominant or to the six-four chord that delays it. So a chord that
goes there is one however it is written, and one that does not is only if somebody wrote it so: the spelling of music
that came from MIDI is a guess, and no evidence. Under a written symbol, A flat seven, the spelling alone decides.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from consort_compose.composer.harmony.chords import Chord, chord_on
from consort_compose.composer.harmony.segments import spelling_of
from consort_music.keys import Key
from consort_music.pitch import STEPS
from consort_music.score import Note

_FLAT_SIXTH, _RAISED_FOURTH, _FIFTH, _SECOND, _NEAPOLITAN = 8, 6, 7, 2, 1
_KINDS = {
    frozenset((8, 0, 6)): ("It+6", "7"),
    frozenset((8, 0, 2, 6)): ("Fr+6", "7b5"),
    frozenset((8, 0, 3, 6)): ("Ger+6", "7"),
}
"""By their tones above the tonic: the name, and the suffix of the chord on the flat sixth that sounds the same."""
_SIXTH = 5
"""Letters from the lower to the upper tone of a sixth; of a seventh there are six."""


class Stretch(NamedTuple):
    """A stretch of one chord: what sounds in it, and what it is heard as. Degrees are semitones above the tonic."""

    start: Fraction
    notes: Sequence[Note]
    root: int | None
    bass: int | None
    is_named: bool
    """Whether a symbol above the music says what it is."""

    @property
    def at_start(self) -> list[Note]:
        return [note for note in self.notes if note.start <= self.start < note.end]


def augmented_sixths(stretches: Sequence[Stretch], key: Key, is_spelled: bool) -> list[Chord | None]:
    """The augmented sixth chord that each stretch is, if any."""
    kinds = [_kind(stretch, key.tonic) for stretch in stretches]
    found: list[Chord | None] = []
    for index, (stretch, kind) in enumerate(zip(stretches, kinds, strict=True)):
        chord = None
        if kind is not None:
            after = next((place for place in range(index + 1, len(kinds)) if kinds[place] is None), None)
            following = None if after is None else stretches[after]
            is_written = is_spelled and _is_sixth(stretch.notes, key.tonic)
            is_neapolitan_dominant = following is not None and following.root == _NEAPOLITAN
            is_heard = not stretch.is_named and _goes_outward(stretch, following, key.tonic)
            if is_heard or (is_written and not is_neapolitan_dominant):
                name, suffix = kind
                same_sound = chord_on(6, suffix, minor=key.is_minor, alteration=-1, function="S")
                chord = replace(same_sound, degree=name)
        found.append(chord)
    return found


def _kind(stretch: Stretch, tonic: int) -> tuple[str, str] | None:
    """What the tones would make it: all of them, or, where some only pass, those at the start. Over the second degree
    the French tones are the dominant's dominant with a lowered fifth."""
    if stretch.bass == _SECOND:
        return None
    for notes in (stretch.notes, stretch.at_start):
        kind = _KINDS.get(frozenset((note.midi - tonic) % 12 for note in notes))
        if kind is not None:
            return kind
    return None


def _is_sixth(notes: Sequence[Note], tonic: int) -> bool:
    low, high = (spelling_of(notes, (tonic + degree) % 12) for degree in (_FLAT_SIXTH, _RAISED_FOURTH))
    return low is not None and high is not None and (STEPS.index(high[0]) - STEPS.index(low[0])) % len(STEPS) == _SIXTH


def _goes_outward(stretch: Stretch, following: Stretch | None, tonic: int) -> bool:
    if following is None or not (following.root == _FIFTH or (following.root, following.bass) == (0, _FIFTH)):
        return False
    reached = {note.midi for note in following.at_start}
    falls = {(note.midi - tonic) % 12 for note in stretch.notes if note.midi - 1 in reached}
    rises = {(note.midi - tonic) % 12 for note in stretch.notes if note.midi + 1 in reached}
    return _FLAT_SIXTH in falls and _RAISED_FOURTH in rises
