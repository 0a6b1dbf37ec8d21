"""Find the beams of notes that are shorter than a quarter note.

Notes of a beat are joined. Plain eighth notes are joined over the beats of a group (half of a 4/4 bar, a bar of 2/4 or
3/4) if the group has nothing else. MusicXML has a beam element for each level: one for eighth notes, two for sixteenth
notes, and so on.
"""

from collections.abc import Sequence
from typing import NamedTuple

from consort_music.notation.writing.note_values import TYPES

_LEVELS = {kind: level for level, kind in enumerate(TYPES[TYPES.index("eighth") :], start=1)}


class Beamable(NamedTuple):
    """A note value for beaming: the beat in which it starts, its kind (one of TYPES), and whether it is a rest.

    `group` is the group of beats that may share a beam, and `is_plain` says that it is an eighth without dot or tuplet.
    """

    beat: int
    kind: str
    is_rest: bool
    group: int
    is_plain: bool


class Beam(NamedTuple):
    """A beam of a note: its level from 1, and `begin`, `continue`, `end`, `forward hook` or `backward hook`."""

    level: int
    word: str


def find_beams(values: Sequence[Beamable]) -> list[tuple[Beam, ...]]:
    """Return the beams of each note value of a voice in a bar. They are empty for most values."""
    result: list[tuple[Beam, ...]] = [()] * len(values)
    plain: dict[int, bool] = {}
    for value in values:
        plain[value.group] = plain.get(value.group, True) and value.is_plain and not value.is_rest
    joined: list[int] = []
    last: int | None = None
    for place, value in enumerate(values):
        if value.is_rest or value.kind not in _LEVELS:
            _join(values, joined, result)
            joined, last = [], None
            continue
        share = -value.group if plain[value.group] else value.beat
        if joined and share != last:
            _join(values, joined, result)
            joined = []
        joined.append(place)
        last = share
    _join(values, joined, result)
    return result


def _join(values: Sequence[Beamable], joined: list[int], result: list[tuple[Beam, ...]]) -> None:
    if len(joined) < 2:
        return
    levels = [_LEVELS[values[place].kind] for place in joined]
    for index, place in enumerate(joined):
        before = levels[index - 1] if index else 0
        after = levels[index + 1] if index + 1 < len(levels) else 0
        result[place] = tuple(
            Beam(level, _word(level, before, after, index == 0)) for level in range(1, levels[index] + 1)
        )


def _word(level: int, before: int, after: int, is_first: bool) -> str:
    if before >= level and after >= level:
        return "continue"
    if before >= level:
        return "end"
    if after >= level:
        return "begin"
    return "forward hook" if is_first else "backward hook"
