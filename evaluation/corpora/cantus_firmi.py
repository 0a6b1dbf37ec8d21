"""Forty cantus firmi in every mode. They were written for the tests of species counterpoint.

They are given as scale degrees: 1 is the tonic, 0 the degree below it, 8 the tonic an octave higher.
"""

from dataclasses import dataclass

from evaluation.checkers.harmony import SCALES

LETTERS = "CDEFGAB"
_NATURAL = (0, 2, 4, 5, 7, 9, 11)

_TABLE = """
C major      1 3 2 4 3 5 6 5 4 2 1
C major      1 5 4 3 6 5 3 4 2 1
C major      1 2 3 1 4 3 5 3 2 1
G major      8 6 7 8 5 6 5 3 4 2 1
D major      1 4 3 5 6 4 5 3 2 1
Bb major     1 0 1 3 4 2 5 4 3 2 1
A major      1 3 5 4 6 5 8 6 5 4 3 2 1
D dorian     1 3 2 1 4 3 5 4 3 2 1
D dorian     1 5 6 5 4 3 4 2 3 2 1
D dorian     1 2 3 5 4 2 4 3 2 1
G dorian     1 4 5 3 4 6 5 3 2 1
A dorian     8 7 5 6 5 4 3 5 4 3 2 1
D dorian     1 0 1 2 3 2 5 4 3 2 1
E phrygian   1 2 3 1 4 3 6 5 4 3 2 1
E phrygian   1 4 3 2 4 5 3 4 2 1
E phrygian   1 3 4 6 5 3 4 3 2 1
B phrygian   1 6 5 4 3 5 4 3 2 1
A phrygian   1 3 2 4 3 1 4 5 4 2 1
F lydian     1 3 2 1 5 6 5 3 2 1
F lydian     1 2 3 5 6 5 3 2 3 2 1
F lydian     8 7 5 6 5 3 5 3 2 1
C lydian     1 5 3 6 5 3 2 3 2 1
Bb lydian    1 3 5 3 2 5 6 5 3 2 1
G mixolydian 1 3 4 2 5 4 3 6 5 3 2 1
G mixolydian 1 4 3 5 4 6 5 3 2 1
G mixolydian 1 0 1 3 2 5 4 3 2 1
D mixolydian 8 6 5 4 6 5 3 4 2 1
F mixolydian 1 2 4 3 5 6 4 5 3 2 1
A minor      1 3 4 2 5 4 6 5 3 2 1
A minor      1 2 3 5 4 3 1 4 3 2 1
A minor      1 5 6 5 3 4 3 2 3 2 1
E minor      1 4 3 5 6 5 8 6 5 4 3 2 1
D minor      1 3 2 0 1 4 3 5 4 2 1
C minor      8 7 8 5 6 4 5 3 4 2 1
G minor      1 3 5 4 3 2 4 3 0 1
B locrian    1 3 2 4 3 6 4 3 2 1
B locrian    1 2 3 4 6 4 3 4 2 1
E locrian    1 4 3 1 3 6 4 3 2 1
C major      1 3 4 5 3 6 5 4 3 0 1
D dorian     1 2 3 5 4 6 5 3 2 3 2 1
"""


@dataclass(frozen=True)
class Cantus:
    key: str
    degrees: tuple[int, ...]

    @property
    def scale(self) -> list[tuple[int, int]]:
        """The letter (0 is C) and the pitch class of each degree."""
        tonic, mode = self.key.split()
        letter = LETTERS.index(tonic[0])
        pitch = _NATURAL[letter] + {"": 0, "b": -1, "#": 1}[tonic[1:]]
        return [((letter + place) % 7, (pitch + semitones) % 12) for place, semitones in enumerate(SCALES[mode])]

    def pitches(self, octave: int = 4) -> list[tuple[int, int]]:
        """Return, for each note, its MIDI number and its letters above C0 (seven to the octave).

        Degree 1 is in `octave`.
        """
        tonic, mode = self.key.split()
        letter = LETTERS.index(tonic[0])
        pitch = _NATURAL[letter] + {"": 0, "b": -1, "#": 1}[tonic[1:]]
        found = []
        for degree in self.degrees:
            octaves, place = divmod(degree - 1, 7)
            midi = 12 * (octave + 1 + octaves) + pitch + SCALES[mode][place]
            found.append((midi, 7 * (octave + octaves) + letter + place))
        return found


CANTUS_FIRMI = [
    Cantus(" ".join(line.split()[:2]), tuple(map(int, line.split()[2:]))) for line in _TABLE.strip().splitlines()
]
