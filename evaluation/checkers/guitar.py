"""Check whether four fingers can hold a chord shape on a guitar, written independently of the engine.

All ways to place the fingers are tried:

- Each pressed string has a finger. Fingers two to four press one string each.
- The first finger presses one string, or several at the lowest fret (a barre). A barre lies over all strings from its
  tip to the highest string, so these must be pressed at the barre's fret or above it, or be silent.
- All fingers are within four frets.
"""

from collections.abc import Sequence

Frets = Sequence[int | None]
"""One fret per string, from the lowest string to the highest: 0 is open, None is silent."""
MOST_FINGERS = 4
FRETS_OF_A_HAND = 4


def is_playable(frets: Frets) -> bool:
    pressed = [fret for fret in frets if fret]
    if not pressed:
        return True
    if max(pressed) - min(pressed) >= FRETS_OF_A_HAND:
        return False
    return len(pressed) <= MOST_FINGERS or any(
        1 + _fingers_beside_barre(frets, tip) <= MOST_FINGERS for tip in range(len(frets)) if _can_bar(frets, tip)
    )


def _can_bar(frets: Frets, tip: int) -> bool:
    """Return whether a barre at the lowest pressed fret may lie from the string `tip` to the highest string."""
    lowest = min(fret for fret in frets if fret)
    return frets[tip] == lowest and all(fret is None or fret >= lowest for fret in frets[tip:])


def _fingers_beside_barre(frets: Frets, tip: int) -> int:
    lowest = min(fret for fret in frets if fret)
    return sum(1 for string, fret in enumerate(frets) if fret and not (string >= tip and fret == lowest))


def largest_shift(shapes: Sequence[Frets]) -> int:
    """Return the distance between the lowest and the highest position; shapes of open strings have none."""
    positions = [min(pressed) for frets in shapes if (pressed := [fret for fret in frets if fret])]
    return max(positions, default=0) - min(positions, default=0)
