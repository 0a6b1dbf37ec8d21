"""Openings of twenty well-known pieces as guitarists play them: the string and fret of every note, written from memory.

All are in the public domain; melodies without a fixed guitar setting are in the first position of method books. The
text of a piece is a list of events with commas between them. An event is `string:fret` for each note; `=2` after a note
is its length in quarter notes, otherwise it lasts until the next event. An event lasts `step` quarter notes; `*3` makes
it three steps long.

The costs of `consort_music.frets` were tuned on the pieces with odd numbers (counted from 1). Those with even numbers
were not tuned on, but their results were read while the model was built.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

_STANDARD = (64, 59, 55, 50, 45, 40)
"""E4 to E2: strings 1 to 6."""


@dataclass(frozen=True)
class OpeningNote:
    """A note of an opening: times in quarter notes, and where guitarists play it."""

    start: Fraction
    duration: Fraction
    string: int
    fret: int

    @property
    def pitch(self) -> int:
        return _STANDARD[self.string - 1] + self.fret


@dataclass(frozen=True)
class GuitarOpening:
    name: str
    bpm: int
    step: Fraction
    text: str

    @cached_property
    def notes(self) -> list[OpeningNote]:
        notes = []
        now = Fraction(0)
        for event in self.text.split(","):
            words = event.split()
            steps = [word for word in words if word.startswith("*")]
            length = self.step * int(steps[0][1:]) if steps else self.step
            for word in words:
                if not word.startswith("*"):
                    place, _, lasts = word.partition("=")
                    string, fret = place.split(":")
                    notes.append(OpeningNote(now, Fraction(lasts) if lasts else length, int(string), int(fret)))
            now += length
        return notes


_THIRD, _HALF, _QUARTER = Fraction(1, 3), Fraction(1, 2), Fraction(1, 4)


def _romance() -> str:
    """Bars 1 to 8: a melody on string 1 with a broken chord below it, three notes a beat."""
    bars = [("6:0", "2:0", "3:0", melody) for melody in ("777", "753", "320", "037", "CCC", "CA8")]
    bars += [("5:0", "2:5", "3:5", melody) for melody in ("875", "578")]
    events = []
    for bass, second, third, melody in bars:
        for beat, fret in enumerate(melody):
            low = f"{bass}=3 " if beat == 0 else ""
            events += [f"{low}1:{int(fret, 16)}=1", second, third]
    return ",".join(events)


GUITAR_OPENINGS = (
    GuitarOpening("Anonymous, Romance", 90, _THIRD, _romance()),
    GuitarOpening("Tarrega, Lagrima", 76, _HALF, "4:2=1 1:4=1, 2:0, 4:4=1 1:5=1, 2:0, 4:6=1 1:7=1, 2:0"),
    GuitarOpening(
        "Bach, Bourree in E minor",
        120,
        _HALF,
        "6:3=1 1:0, 1:2, 6:0=1 1:3 *2, 5:0=1 1:2, 1:0, 5:2=1 2:4 *2, 5:0=1 1:0, 1:2,"
        "6:3=1 2:0 *2, 6:2=1 2:2, 2:4, 6:0=1 1:0 *2, 5:0=1 2:3, 2:1, 5:2=1 2:0 *2, 5:3=1 3:2, 3:0, 4:4 *2",
    ),
    GuitarOpening(
        "Greensleeves",
        110,
        _HALF,
        "3:2 *2, 5:0=2 2:1 *4, 2:3 *2, 5:3=3 1:0 *3, 1:1, 1:0 *2, 6:3=3 2:3 *4, 2:0 *2, 6:3=3 3:0 *3, 3:2, 2:0 *2,"
        "5:0=3 2:1 *4, 3:2 *2, 5:0=3 3:2 *3, 3:1, 3:2 *2, 6:0=3 2:0 *4, 3:1 *2, 6:0=2 4:2 *4",
    ),
    GuitarOpening(
        "Aguado, Study in A minor",
        100,
        _QUARTER,
        "5:0=3/2 , 3:2, 2:1, 1:0, 2:1, 3:2, 5:0=3/2, 3:2, 2:1, 1:0, 2:1, 3:2,"
        "6:0=3/2, 3:1, 2:0, 1:0, 2:0, 3:1, 6:0=3/2, 3:1, 2:0, 1:0, 2:0, 3:1",
    ),
    GuitarOpening(
        "Giuliani, Right hand study 1",
        100,
        _HALF,
        "5:3=2, 3:0 2:1 1:0, 3:0 2:1 1:0, 3:0 2:1 1:0, 6:3=2, 3:0 2:0 1:1, 3:0 2:0 1:1, 3:0 2:0 1:1,"
        "5:3=2, 3:0 2:1 1:0, 3:0 2:1 1:0, 3:0 2:1 1:0",
    ),
    GuitarOpening(
        "Sor, Study in B minor, op. 35 no. 22",
        90,
        _HALF,
        "5:2=3 1:2=2, 3:4, 2:3, 3:4, 1:2, 3:4, 5:2=3 1:2=2, 3:4, 2:3, 3:4, 1:2, 3:4",
    ),
    GuitarOpening(
        "Grieg, In the Hall of the Mountain King",
        130,
        _HALF,
        "5:2, 5:4, 5:5, 4:2, 4:4, 5:5, 4:4 *2, 4:3, 5:4, 4:3 *2, 4:2, 5:3, 4:2 *2,"
        "5:2, 5:4, 5:5, 4:2, 4:4, 5:5, 4:4, 3:4, 3:2, 4:4, 5:5, 4:4, 3:2 *4",
    ),
    GuitarOpening(
        "Petzold, Minuet in G",
        120,
        _HALF,
        "6:3=2 2:3 *2, 3:0, 3:2, 2:0, 2:1, 5:2=3 2:3 *2, 3:0 *2, 3:0 *2, 5:3=3 1:0 *2, 2:1, 2:3, 1:0, 1:2,"
        "5:2=3 1:3 *2, 3:0 *2, 3:0 *2",
    ),
    GuitarOpening(
        "Albeniz, Asturias",
        110,
        _QUARTER,
        "5:7, 2:0, 4:4, 2:0, 4:5, 2:0, 4:4, 2:0, 5:7, 2:0, 5:5, 2:0",
    ),
    GuitarOpening(
        "Bach, Prelude of the first cello suite, in D",
        70,
        _QUARTER,
        "4:0=1, 3:2, 1:2, 1:0, 1:2, 3:2, 1:2, 3:2, 4:0=1, 3:2, 1:2, 1:0, 1:2, 3:2, 1:2, 3:2,"
        "4:0=1, 2:0, 1:3, 1:2, 1:3, 2:0, 1:3, 2:0, 4:0=1, 2:0, 1:3, 1:2, 1:3, 2:0, 1:3, 2:0,"
        "4:0=1, 2:2, 1:3, 1:2, 1:3, 2:2, 1:3, 2:2, 4:0=1, 2:2, 1:3, 1:2, 1:3, 2:2, 1:3, 2:2,"
        "4:0=1, 2:3, 1:2, 1:0, 1:2, 2:3, 1:2, 2:3",
    ),
    GuitarOpening(
        "Bach, Jesu, Joy of Man's Desiring, in G",
        80,
        _THIRD,
        "6:3=1 3:0, 3:2, 2:0, 4:0=1 2:3, 2:1, 2:1, 6:0=1 1:0, 2:3, 2:3, 6:3=1 1:3, 1:2, 1:3, 5:2=1 2:3, 2:0, 3:0,"
        "3:2, 2:0, 2:1",
    ),
    GuitarOpening(
        "Tarrega, Gran Vals",
        180,
        _HALF,
        "1:12, 1:10, 2:7 *2, 2:9 *2, 1:9, 1:7, 3:7 *2, 3:9 *2, 1:7, 1:5, 3:6 *2, 2:5 *2, 1:5 *6",
    ),
    GuitarOpening(
        "Beethoven, Fuer Elise",
        70,
        _QUARTER,
        "1:0, 2:4, 1:0, 2:4, 1:0, 2:0, 2:3, 2:1, 5:0=3/4 3:2, 4:2, 3:2, 5:3, 4:2, 3:2, 6:0=3/4 2:0, 4:2, 3:1, 4:2,"
        "3:1, 2:0, 5:0=3/4 2:1, 4:2, 3:2",
    ),
    GuitarOpening(
        "The House of the Rising Sun",
        110,
        _HALF,
        "5:0=3, 4:2, 3:2, 2:1, 1:0, 2:1, 5:3=3, 4:2, 3:0, 2:1, 1:0, 2:1, 4:0=3, 3:2, 2:3, 1:2, 2:3, 3:2,"
        "6:1=3, 4:3, 3:2, 2:1, 1:1, 2:1, 5:0=3, 4:2, 3:2, 2:1, 1:0, 2:1, 6:0=3, 4:2, 3:1, 2:0, 1:0, 2:0",
    ),
    GuitarOpening(
        "Scarborough Fair",
        110,
        _HALF,
        "5:0=3 3:2 *4, 3:2 *2, 5:0=3 1:0 *4, 1:0 *2, 6:3=3 2:0 *3, 2:1, 2:0 *2, 5:0=3 3:2 *6,"
        "1:0 *2, 1:3 *2, 1:5 *4, 1:3 *2, 1:0 *2, 1:2 *2, 2:3 *2, 1:0 *6",
    ),
    GuitarOpening(
        "Satie, Gymnopedie 1",
        75,
        Fraction(1),
        "6:3=3, 3:4=2 2:3=2 1:2=2 *2, 4:0=3, 3:2=2 2:2=2 1:2=2 *2, 6:3=3, 3:4=2 2:3=2 1:2=2 *2, 4:0=3,"
        "3:2=2 2:2=2 1:2=2 *2",
    ),
    GuitarOpening(
        "Bach, Toccata in D minor",
        70,
        _QUARTER,
        "1:5, 1:3, 1:5 *8, 1:3, 1:1, 1:0, 2:3, 2:2 *2, 2:3 *6",
    ),
    GuitarOpening(
        "Andalusian cadence",
        90,
        Fraction(2),
        "5:0 4:2 3:2 2:1 1:0, 6:3 5:2 4:0 3:0 2:0 1:3, 6:1 5:3 4:3 3:2 2:1 1:1, 6:0 5:2 4:2 3:1 2:0 1:0",
    ),
    GuitarOpening(
        "Pachelbel, Canon in D",
        80,
        _HALF,
        "4:0=2, 3:2, 2:3, 1:2, 5:0=2, 4:2, 3:2, 2:2, 5:2=2, 4:4, 3:4, 2:3, 6:2=2, 4:4, 3:2, 2:2,"
        "6:3=2, 4:0, 3:0, 2:0, 4:0=2, 3:2, 2:3, 1:2, 6:3=2, 4:0, 3:0, 2:0, 5:0=2, 4:2, 3:2, 2:2",
    ),
)
