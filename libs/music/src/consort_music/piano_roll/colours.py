"""Colours that stay apart for colour-blind readers, and how loud notes look.

The palette joins Okabe and Ito's with two dark tones of Tol's; yellow and black are left out, because on paper one is
too faint and the other reads as text. A soft note is pale and a loud one full; the outline keeps the voice's colour.
"""

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#332288", "#56B4E9", "#882255")
DRUM_COLOUR = "#4A4A57"

PAPER = "#FBFAF7"
SHEET = "#FFFFFF"
BLACK_ROW = "#F3F1EB"
BEAT_LINE = "#E9E5DB"
OCTAVE_LINE = "#DAD5C8"
BAR_LINE = "#BFB9AA"
INK = "#26241F"
GREY_INK = "#6E6A60"
BLACK_KEY = "#3A3834"

VELOCITY_LEVELS = 8
_PALEST = 0.38


def voice_colour(number: int) -> str:
    """The colour of the voice with this number; the second eight are the first, darker, and then they repeat."""
    colour = PALETTE[number % len(PALETTE)]
    return mixed(colour, "#000000", 0.6) if number // len(PALETTE) % 2 else colour


def velocity_level(velocity: int) -> int:
    """From 0, the softest, to 7."""
    return min(max(velocity, 0), 127) * VELOCITY_LEVELS // 128


def shade(colour: str, level: int) -> str:
    """The fill of notes of this velocity level in a voice of this colour."""
    return mixed(colour, SHEET, _PALEST + (1 - _PALEST) * level / (VELOCITY_LEVELS - 1))


def mixed(colour: str, other: str, share: float) -> str:
    """A share of one colour and the rest of another, both as #RRGGBB."""
    pairs = ((int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one * share + two * (1 - share)):02X}" for one, two in pairs)
