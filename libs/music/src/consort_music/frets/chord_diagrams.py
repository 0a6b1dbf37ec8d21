"""Chord diagrams: a shape with its fingers, its barre and the first fret to draw.

    chord_diagram("Am", "guitar").text          x02210
    diagram_of_places([(5, 3), (4, 2), (3, 0), (2, 1), (1, 0)], fretboard("guitar"))

A diagram shows `FRETS_SHOWN` frets. It begins at the first fret if the shape fits there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from consort_music.chords.grammar import parse_chord
from consort_music.chords.symbol import ChordSymbol
from consort_music.errors import MusicError
from consort_music.frets.chord_shapes import chord_shapes
from consort_music.frets.fretboards import Fretboard, fretboard
from consort_music.frets.hand import FINGERS, Place

FRETS_SHOWN = 4
_BARRE_FROM = 4
"""With this many pressed strings, two or more at the lowest fret are pressed by one finger."""


@dataclass(frozen=True, slots=True)
class Barre:
    """One finger across several strings. `first_string` has the higher number."""

    fret: int
    first_string: int
    last_string: int


@dataclass(frozen=True, slots=True)
class ChordDiagram:
    """What to draw above a staff. Strings are in the order of a diagram: the highest number first, string 1 last."""

    frets: tuple[int | None, ...]
    """0 for an open string (o), None for a silent one (x). Counted from the capo."""
    fingers: tuple[int | None, ...]
    """1 (index) to 4 (little finger); None where no finger presses."""
    barre: Barre | None
    first_fret: int
    frets_shown: int

    @property
    def text(self) -> str:
        """The frets in one word, as in `x32010`; with hyphens if one has two digits."""
        words = ["x" if fret is None else str(fret) for fret in self.frets]
        return ("-" if any(len(word) > 1 for word in words) else "").join(words)


def chord_diagram(
    chord: str | ChordSymbol, instrument: str | Fretboard = "guitar", tuning: str | None = None, capo: int = 0
) -> ChordDiagram:
    """Return the diagram of the best shape of a chord symbol.

    With a capo, the chord is the one that sounds. Raise INVALID_CHORD_SYMBOL, UNKNOWN_INSTRUMENT, INVALID_TUNING,
    INVALID_CAPO, or NO_CHORD_SHAPE if no hand can play the chord on this instrument.
    """
    return chord_diagrams(chord, instrument, tuning, capo, most=1)[0]


def chord_diagrams(
    chord: str | ChordSymbol,
    instrument: str | Fretboard = "guitar",
    tuning: str | None = None,
    capo: int = 0,
    most: int = 5,
) -> list[ChordDiagram]:
    """Return the diagrams of at most `most` shapes of a chord symbol, the best first. See `chord_diagram`."""
    symbol = parse_chord(chord) if isinstance(chord, str) else chord
    board = instrument if isinstance(instrument, Fretboard) else fretboard(instrument, tuning, capo)
    shapes = chord_shapes(symbol, board, symbol.bass_pitch_class)[:most] if symbol.tones else ()
    if not shapes:
        raise MusicError(
            "NO_CHORD_SHAPE",
            f"No hand can play {symbol.name} on a {board.instrument} tuned {board.tuning_text}. Choose another chord, "
            "tuning or instrument.",
        )
    return [diagram_of_frets(shape.frets) for shape in shapes]


def diagram_of_places(places: Sequence[Place], board: Fretboard) -> ChordDiagram:
    """Return the diagram of strings and frets, as `fret_positions` gives them."""
    by_string = dict(places)
    return diagram_of_frets(tuple(by_string.get(string) for string in range(board.strings, 0, -1)))


def diagram_of_frets(frets: tuple[int | None, ...]) -> ChordDiagram:
    """Return the diagram of one fret per string, from the highest string number down to string 1."""
    pressed = [fret for fret in frets if fret]
    lowest, highest = min(pressed, default=1), max(pressed, default=1)
    first_fret = 1 if highest <= FRETS_SHOWN else lowest
    barre = _barre(frets, lowest)
    return ChordDiagram(
        frets,
        _fingers(frets, lowest, barre),
        barre,
        first_fret,
        max(FRETS_SHOWN, highest - first_fret + 1),
    )


def _barre(frets: tuple[int | None, ...], lowest: int) -> Barre | None:
    at_lowest = [index for index, fret in enumerate(frets) if fret == lowest]
    if len([fret for fret in frets if fret]) < _BARRE_FROM or len(at_lowest) < 2:
        return None
    first, last = at_lowest[0], at_lowest[-1]
    if not all(frets[first : last + 1]):
        return None
    return Barre(lowest, len(frets) - first, len(frets) - last)


def _fingers(frets: tuple[int | None, ...], lowest: int, barre: Barre | None) -> tuple[int | None, ...]:
    """Return a finger per string: one per fret if that is enough, otherwise the next free one.

    Frets are filled from the lowest up, and each from the string with the highest number.
    """
    fingers: list[int | None] = [None] * len(frets)
    order = sorted((fret, index) for index, fret in enumerate(frets) if fret)
    finger = 0
    if barre:
        finger = 1
        for fret, index in order:
            if fret == barre.fret:
                fingers[index] = 1
        order = [(fret, index) for fret, index in order if fret != barre.fret]
    for place, (fret, index) in enumerate(order):
        later = len(order) - place - 1
        finger = max(finger + 1, min(fret - lowest + 1, FINGERS - later))
        fingers[index] = finger if finger <= FINGERS else None
    return tuple(fingers)
