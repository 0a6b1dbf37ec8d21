"""Find the beams of notes: notes of a beat that are shorter than a quarter note are joined.

MusicXML has a beam element for each level: one for eighth notes, two for sixteenth notes, and so on.
"""

from collections.abc import Sequence
from typing import NamedTuple

from consort_music.notation.note_values import TYPES

_LEVELS = {kind: level for level, kind in enumerate(TYPES[TYPES.index("eighth") :], start=1)}


class Beamable(NamedTuple):
    """A note value for beaming: the beat in which it starts, its kind (one of TYPES), and whether it is a rest."""

    beat: int
    kind: str
    is_rest: bool


def beams(values: Sequence[Beamable]) -> list[str]:
    """Return the beam elements of each note value of a voice in a bar. They are empty for most values."""
    result = [""] * len(values)
    group: list[int] = []
    for place, value in enumerate(values):
        if value.is_rest or value.kind not in _LEVELS:
            _join(values, group, result)
            group = []
        elif group and values[group[-1]].beat != value.beat:
            _join(values, group, result)
            group = [place]
        else:
            group.append(place)
    _join(values, group, result)
    return result


def _join(values: Sequence[Beamable], group: list[int], result: list[str]) -> None:
    if len(group) < 2:
        return
    levels = [_LEVELS[values[place].kind] for place in group]
    for index, place in enumerate(group):
        before = levels[index - 1] if index else 0
        after = levels[index + 1] if index + 1 < len(levels) else 0
        result[place] = "".join(
            f'<beam number="{level}">{_word(level, before, after, index == 0)}</beam>'
            for level in range(1, levels[index] + 1)
        )


def _word(level: int, before: int, after: int, is_first: bool) -> str:
    if before >= level and after >= level:
        return "continue"
    if before >= level:
        return "end"
    if after >= level:
        return "begin"
    return "forward hook" if is_first else "backward hook"
