"""Count the rhythms of bars and the forms of folk tunes, for `count_folk_statistics`.

Pitches are counted in staff steps (letters of the scale, seven to the octave) above the tonic that is nearest to the
last note.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from evaluation.corpora.folk_tunes import FolkTune, TuneNote

TuneBar = Sequence[tuple[TuneNote, int]]
"""The notes of a bar, each with its staff step."""

GRID = 12
"""Rhythms are stored in twelfths of a quarter."""
_DEGREES = {"major": (0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 6, 6), "minor": (0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6)}
"""By mode: the degree (0 to 6) of each number of semitones above the tonic."""
_MINOR = {"minor", "dorian", "phrygian"}
_FORMS_KEPT = {4: 20, 6: 20, 8: 140, 9: 20, 10: 40, 12: 70, 14: 30, 16: 160, 18: 20, 20: 20, 24: 40, 32: 30}
"""By number of bars: how many forms of that length are kept."""
_RHYTHMS_KEPT = 60
"""Number of bar rhythms kept for each metre and style."""


def mode_of(tune: FolkTune) -> str:
    return "minor" if tune.mode in _MINOR else "major"


def staff_steps(tune: FolkTune) -> list[int]:
    """Return the staff step of each note, counted from the tonic that is nearest to the last note."""
    last = tune.notes[-1].midi
    tonic = last - (last - tune.tonic + 5) % 12 + 5
    degrees = _DEGREES[mode_of(tune)]
    return [7 * ((note.midi - tonic) // 12) + degrees[(note.midi - tonic) % 12] for note in tune.notes]


def percent_density(tune: FolkTune) -> int:
    """Return the notes per quarter, in percent."""
    return round(100 * tune.density)


def bars_of(tune: FolkTune) -> list[TuneBar]:
    """Return the notes of each full bar, each with its staff step."""
    bars: list[list[tuple[TuneNote, int]]] = [[] for _ in range(tune.measures)]
    for note, step in zip(tune.notes, staff_steps(tune), strict=True):
        if note.onset >= 0:
            bars[int(note.onset // tune.bar)].append((note, step))
    return list(bars)


def rhythm_of(bar: TuneBar, length: Fraction) -> tuple[int, ...] | None:
    """Return the times between onsets, in parts of the grid.

    Return None if the bar does not begin with a note, or an onset is not on the grid.
    """
    onsets = [note.onset % length * GRID for note, _ in bar]
    if not onsets or onsets[0] != 0 or any(onset.denominator != 1 for onset in onsets):
        return None
    ends = [*onsets[1:], length * GRID]
    return tuple(int(end - onset) for onset, end in zip(onsets, ends, strict=True))


def rhythms(learned: Sequence[FolkTune]) -> dict[str, list[list[Any]]]:
    """Return `[metre]`: rows of a bar rhythm and its counts in the four bars of phrases and at ends of tunes."""
    counts: dict[str, dict[tuple[int, ...], list[int]]] = defaultdict(lambda: defaultdict(lambda: [0] * 5))
    for tune in learned:
        bars = bars_of(tune)
        for index, bar in enumerate(bars):
            rhythm = rhythm_of(bar, tune.bar)
            if rhythm is not None:
                role = 4 if index == len(bars) - 1 else index % 4
                counts[tune.metre][rhythm][role] += 1
    tables = {}
    for metre, found in sorted(counts.items()):
        usual = sorted(found.items(), key=lambda item: (-sum(item[1]), item[0]))[:_RHYTHMS_KEPT]
        tables[metre] = [[" ".join(map(str, rhythm)), *roles] for rhythm, roles in usual if sum(roles) > 1]
    return tables


def forms(learned: Sequence[FolkTune]) -> dict[str, list[list[Any]]]:
    """Return `[number of bars]`: a sample of forms, and the notes per quarter in percent.

    In a form, `.` is a new bar. A bar with the rhythm of an earlier bar is a letter and the index of that bar in base
    36. The letter says what else is repeated:

        e  all pitches                      s  all pitches, transposed
        u  the first three quarters         w  the last three quarters
        h  the pitches of the first half    i  the pitches of the first half, transposed
        t  the pitches of the second half   j  the pitches of the second half, transposed
        r  nothing else
    """
    found: dict[int, list[list[Any]]] = defaultdict(list)
    for tune in learned:
        bars = bars_of(tune)
        if len(bars) in _FORMS_KEPT and all(bars):
            form = form_of(bars, tune.bar)
            found[len(bars)].append([form, percent_density(tune)])
    rng = random.Random("forms")
    return {
        str(count): sorted(rng.sample(found[count], min(limit, len(found[count]))))
        for count, limit in _FORMS_KEPT.items()
    }


def form_of(bars: Sequence[TuneBar], length: Fraction) -> str:
    """Return the form of a tune: for each bar its strongest relation to an earlier bar, or `.`.

    If several bars have this relation, the one after the previous bar's source is chosen, otherwise the first.
    """
    form, following = "", 0
    for index, here in enumerate(bars):
        letter, source = ".", index
        earlier = sorted(range(index), key=lambda bar: (bar != following, bar))
        same = [bar for bar in earlier if _same_rhythm(bars[bar], here, length)]
        for relation, applies in _RELATIONS:
            found = next((bar for bar in same if applies(_differences(bars[bar], here))), None)
            if found is not None:
                letter, source = relation, found
                break
        form += letter if letter == "." else letter + "0123456789abcdefghijklmnopqrstuvwxyz"[source]
        following = source + 1
    return form


def _same_rhythm(left: TuneBar, right: TuneBar, length: Fraction) -> bool:
    return [(n.onset % length, n.duration) for n, _ in left] == [(n.onset % length, n.duration) for n, _ in right]


def _differences(left: TuneBar, right: TuneBar) -> list[int]:
    """Return by how many staff steps each note of the right bar is above the same note of the left bar."""
    return [high - low for (_, low), (_, high) in zip(left, right, strict=True)]


def _is_transposed(differences: list[int]) -> bool:
    """Return whether all notes differ equally. Fewer than three notes may do so by chance and do not count."""
    return len(differences) >= 3 and len(set(differences)) == 1


_RELATIONS: tuple[tuple[str, Callable[[list[int]], bool]], ...] = (
    ("e", lambda differences: not any(differences)),
    ("s", _is_transposed),
    ("u", lambda differences: len(differences) >= 4 and not any(differences[: -(-3 * len(differences) // 4)])),
    ("w", lambda differences: len(differences) >= 4 and not any(differences[len(differences) // 4 :])),
    ("h", lambda differences: len(differences) >= 4 and not any(differences[: len(differences) // 2])),
    ("t", lambda differences: len(differences) >= 4 and not any(differences[len(differences) // 2 :])),
    ("i", lambda differences: _is_transposed(differences[: (len(differences) + 1) // 2])),
    ("j", lambda differences: _is_transposed(differences[len(differences) // 2 :])),
    ("r", lambda differences: True),
)
"""The letters of `forms`, strongest relation first, each with a test of the differences between two bars."""


def shifts(learned: Sequence[FolkTune]) -> dict[str, int]:
    """Return `[staff steps]`: how often a bar repeats an earlier bar transposed by this many steps (at most 5)."""
    counts: Counter[int] = Counter()
    for tune in learned:
        bars = bars_of(tune)
        for index in range(len(bars)):
            for earlier in range(index):
                same = bars[index] and _same_rhythm(bars[earlier], bars[index], tune.bar)
                if same and _is_transposed(differences := _differences(bars[earlier], bars[index])):
                    counts[differences[0]] += 1
    return {str(shift): count for shift, count in sorted(counts.items()) if shift and abs(shift) <= 5}
