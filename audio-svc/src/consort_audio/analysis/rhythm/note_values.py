"""Name the rhythm that is played, in note values: "quarter, quarter, half". A beat is called a quarter note.

The value of a note lasts until the next onset, that of the last one until its sound has died away or its bar ends. A
rhythm that repeats is given once.
"""

from fractions import Fraction

NAMES = {
    Fraction(4): "whole",
    Fraction(3): "dotted half",
    Fraction(2): "half",
    Fraction(3, 2): "dotted quarter",
    Fraction(1): "quarter",
    Fraction(3, 4): "dotted eighth",
    Fraction(1, 2): "eighth",
    Fraction(1, 4): "sixteenth",
    Fraction(4, 3): "triplet half",
    Fraction(2, 3): "triplet quarter",
    Fraction(1, 3): "triplet eighth",
    Fraction(1, 6): "triplet sixteenth",
}
MOST_VALUES = 32
"""A longer rhythm that does not repeat is cut."""
MOST_IN_UNIT = 16
"""The most notes of a rhythm that is recognised as repeated."""
_ENOUGH = 8
"""The least number of equal notes of which the last may be different."""


def value_name(beats: Fraction) -> str:
    """Return the name of a length: one value, or several tied together."""
    if beats in NAMES:
        return NAMES[beats]
    parts: list[str] = []
    rest = beats
    for length in sorted(NAMES, reverse=True):
        while rest >= length and len(parts) < 4:
            parts.append(NAMES[length])
            rest -= length
    return " tied to ".join(parts) if parts else "grace note"


def pattern_text(lengths: list[Fraction]) -> tuple[str, int]:
    """Return the names of lengths, given in beats, and how often the rhythm that they name is played in a row."""
    unit = repeated_unit(lengths)
    shown = lengths[:unit] if unit else lengths[:MOST_VALUES]
    text = ", ".join(value_name(length) for length in shown)
    if not unit and len(lengths) > MOST_VALUES:
        text += ", …"
    return text, len(lengths) // unit if unit else 1


def repeated_unit(lengths: list[Fraction]) -> int:
    """Return the number of values after which the rhythm repeats (at least twice, to the end), or 0.

    The last value does not count if the rhythm is known without it: how long a last note should be is hard to hear.
    """
    count = len(lengths)
    for unit in range(1, min(MOST_IN_UNIT, count // 2) + 1):
        if count % unit or any(lengths[at] != lengths[at - unit] for at in range(unit, count - 1)):
            continue
        if unit > 1 or count >= _ENOUGH or lengths[-1] == lengths[0]:
            return unit
    return 0
