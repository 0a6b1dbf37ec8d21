"""Where each drum stands on the percussion staff, and its note head (as in Weinberg's guide to drumset notation)."""

from typing import NamedTuple

NORMAL, CROSS, CIRCLE_X, DIAMOND, TRIANGLE = "normal", "x", "circle-x", "diamond", "triangle"


class DrumPlace(NamedTuple):
    """The line or space of a drum as in a treble clef, its note head, and whether a foot plays it."""

    step: str
    octave: int
    head: str = NORMAL
    is_foot: bool = False


_PLACES = {
    35: DrumPlace("E", 4, is_foot=True),
    36: DrumPlace("F", 4, is_foot=True),
    37: DrumPlace("C", 5, CROSS),
    38: DrumPlace("C", 5),
    39: DrumPlace("C", 5, CROSS),
    40: DrumPlace("C", 5),
    41: DrumPlace("G", 4),
    42: DrumPlace("G", 5, CROSS),
    43: DrumPlace("A", 4),
    44: DrumPlace("D", 4, CROSS, is_foot=True),
    45: DrumPlace("B", 4),
    46: DrumPlace("G", 5, CIRCLE_X),
    47: DrumPlace("D", 5),
    48: DrumPlace("E", 5),
    49: DrumPlace("A", 5, CROSS),
    50: DrumPlace("F", 5),
    51: DrumPlace("F", 5, CROSS),
    52: DrumPlace("B", 5, CROSS),
    53: DrumPlace("F", 5, DIAMOND),
    54: DrumPlace("B", 4, CROSS),
    55: DrumPlace("B", 5, DIAMOND),
    56: DrumPlace("E", 5, TRIANGLE),
    57: DrumPlace("B", 5, CROSS),
    59: DrumPlace("F", 5, CROSS),
}
_OTHER = DrumPlace("B", 4, TRIANGLE)


def drum_place(number: int) -> DrumPlace:
    """Return where a drum stands, by MIDI number."""
    return _PLACES.get(number, _OTHER)
