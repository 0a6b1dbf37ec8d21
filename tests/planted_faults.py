"""Faults put into correct counterpoint: one note is changed, and the independent checker says what is wrong.

Each note is moved to every other tone within a tenth that its scale has, and by a semitone. What the checker then finds
is the truth that a marker is measured by.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tests.cantus_firmi import Cantus
from tests.counterpoint_checker import Sung, faults

_PLACE = re.compile(r" (?:at|up to) ([\d/]+)")
_REACH = 16
_NO_LIMIT = (0, 127)


@dataclass(frozen=True)
class Planted:
    cantus: Sequence[Sung]
    voice: Sequence[Sung]
    species: int
    above: bool
    fault: str
    """What the checker says."""

    @property
    def kind(self) -> str:
        """`parallel fifths`, `dissonance`: without notes and places."""
        if "not in the mode" in self.fault:
            return "foreign tone"
        return _PLACE.sub("", self.fault).split(" of ")[0]

    @property
    def moment(self) -> Fraction:
        found = _PLACE.search(self.fault)
        assert found is not None, self.fault
        return Fraction(found[1])


def plant(cantus: Cantus, notes: Sequence[Sung], voice: Sequence[Sung], species: int, above: bool) -> Iterator[Planted]:
    """Every fault that changing one note makes, each change on its own."""
    for place, note in enumerate(voice):
        for changed in _changes(note, cantus):
            wrong = [*voice[:place], changed, *voice[place + 1 :]]
            for fault in faults(species, notes, wrong, above, cantus.scale, *_NO_LIMIT):
                if _PLACE.search(fault):
                    yield Planted(notes, wrong, species, above, fault)


def _changes(note: Sung, cantus: Cantus) -> Iterator[Sung]:
    for letters in range(-9, 10):
        letter = note.letter + letters
        for degree, pitch_class in cantus.scale:
            if degree == letter % 7 and letters:
                near = note.midi + round(letters * 12 / 7)
                midi = min((pitch_class + 12 * octave for octave in range(11)), key=lambda one: abs(one - near))
                if abs(midi - note.midi) <= _REACH:
                    yield replace(note, midi=midi, letter=letter)
    yield replace(note, midi=note.midi + 1)
    yield replace(note, midi=note.midi - 1)
