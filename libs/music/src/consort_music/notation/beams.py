"""Beams: notes shorter than a quarter within a beat are joined, as MusicXML says it, level by level."""

from collections.abc import Sequence
from typing import NamedTuple

from consort_music.notation.written_values import TYPES

_LEVELS = {kind: level for level, kind in enumerate(TYPES[TYPES.index("eighth") :], start=1)}


class Beamable(NamedTuple):
    """A written value: the beat it begins in, its kind, and whether it sounds."""

    beat: int
    kind: str
    is_rest: bool


def beams(values: Sequence[Beamable]) -> list[str]:
    """The beam elements of each value of a voice in a bar; most have none."""
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
