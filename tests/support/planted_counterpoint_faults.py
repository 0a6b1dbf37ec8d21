"""Make counterpoint with one wrong note, and find its faults with the independent checker.

Each note is moved to every other tone of the scale within a tenth, and by a semitone. The tests then check that our
marking of exercises finds the same faults.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from evaluation.checkers.counterpoint import CheckedNote, faults
from evaluation.corpora.cantus_firmi import Cantus

_PLACE = re.compile(r" (?:at|up to) ([\d/]+)")
_REACH = 16
_NO_LIMIT = (0, 127)


@dataclass(frozen=True)
class PlantedFault:
    cantus: Sequence[CheckedNote]
    voice: Sequence[CheckedNote]
    species: int
    above: bool
    fault: str
    """The checker's text."""

    @property
    def kind(self) -> str:
        """The fault without notes and positions, such as `parallel fifths` or `dissonance`."""
        if "not in the mode" in self.fault:
            return "foreign tone"
        return _PLACE.sub("", self.fault).split(" of ")[0]

    @property
    def moment(self) -> Fraction:
        found = _PLACE.search(self.fault)
        assert found is not None, self.fault
        return Fraction(found[1])


def plant(
    cantus: Cantus, notes: Sequence[CheckedNote], voice: Sequence[CheckedNote], species: int, above: bool
) -> Iterator[PlantedFault]:
    """Change one note of the voice at a time, and yield every fault that the checker finds."""
    for place, note in enumerate(voice):
        for changed in _changes(note, cantus):
            wrong = [*voice[:place], changed, *voice[place + 1 :]]
            for fault in faults(species, notes, wrong, above, cantus.scale, *_NO_LIMIT):
                if _PLACE.search(fault):
                    yield PlantedFault(notes, wrong, species, above, fault)


def _changes(note: CheckedNote, cantus: Cantus) -> Iterator[CheckedNote]:
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
