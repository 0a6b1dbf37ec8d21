"""Colours that colour-blind readers can distinguish, and shades for loudness.

The palette is that of Okabe and Ito, with two dark colours of Tol. Its yellow and black are left out: on white, yellow
is too pale and black looks like text. A soft note is pale and a loud one saturated. The outline has the colour of the
voice.
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
    """Return the colour of the voice with this number, from 0.

    Numbers 8 to 15 get darker versions of the colours of 0 to 7. From 16 on the colours repeat.
    """
    colour = PALETTE[number % len(PALETTE)]
    return mix_colours(colour, "#000000", 0.6) if number // len(PALETTE) % 2 else colour


def velocity_level(velocity: int) -> int:
    """Return the loudness level of a velocity, from 0 (softest) to 7 (loudest)."""
    return min(max(velocity, 0), 127) * VELOCITY_LEVELS // 128


def shade(colour: str, level: int) -> str:
    """Return the fill colour of notes of this loudness level in a voice of this colour."""
    return mix_colours(colour, SHEET, _PALEST + (1 - _PALEST) * level / (VELOCITY_LEVELS - 1))


def mix_colours(colour: str, other: str, share: float) -> str:
    """Return the mixture of two colours (#RRGGBB), with `share` (0 to 1) of `colour` and the rest of `other`."""
    pairs = ((int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one * share + two * (1 - share)):02X}" for one, two in pairs)
