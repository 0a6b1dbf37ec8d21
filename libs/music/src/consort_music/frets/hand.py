"""What a left hand can do: fingers, span in millimetres, and the speed of shifts.

- A hand has four fingers. The first may press several strings at one fret (a barre). It lies over all strings from the
  one at its tip to string 1, so none of these can be open.
- The span is the distance along the neck between the lowest and the highest pressed fret. Up to `COMFORTABLE_MM` it is
  easy; `LIMIT_MM` is the most that is written.
- The hand moves along the neck by at most `SPEED_MM_PER_S`. It may leave a note after `MUST_SOUND` of its duration, and
  the same part of a note must sound before its string is used again.
"""

from collections.abc import Sequence
from typing import NamedTuple

COMFORTABLE_MM = 100.0
LIMIT_MM = 135.0
SPEED_MM_PER_S = 1000.0
MUST_SOUND = 0.6
FINGERS = 4

Place = tuple[int, int]
"""A string and a fret."""


class Press(NamedTuple):
    """The number of fingers that press strings, and the fret of the barre, if there is one."""

    fingers: int
    barre: int | None


def press(places: Sequence[Place]) -> Press | None:
    """Return how four fingers press these places, or None if they cannot. The span is not checked.

    A barre is used only if there are more pressed strings than fingers.
    """
    pressed = [place for place in places if place[1]]
    if len(pressed) <= FINGERS:
        return Press(len(pressed), None)
    lowest = min(fret for _, fret in pressed)
    barred = [string for string, fret in pressed if fret == lowest]
    fingers = 1 + len(pressed) - len(barred)
    if fingers > FINGERS or any(fret == 0 and string < max(barred) for string, fret in places):
        return None
    return Press(fingers, lowest)
