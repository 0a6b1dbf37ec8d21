"""Learns the tables of generate_melody from folk tunes: `python -m benchmarks.train.melody` (two minutes of music21).

Only the tunes of the part `learn` are read. What is kept are counts of what tunes have in common, not the tunes: which
move follows a move on which degree, rhythms of single bars, which bars of a tune repeat which, how far a tune reaches
from its tonic. Pitches are counted as lines: scale degrees above a tonic near the end of the tune, seven to the octave.
"""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.parts.folk_tunes import Note, Tune, tunes
from consort_music.metre import Metre

TABLES = Path(__file__).parents[2] / "compose-svc" / "src" / "consort_compose" / "composer" / "melody" / "tables.json"
FAR = 7
"""Moves further than an octave are counted as one."""
GRID = 12
"""Rhythms are kept in twelfths of a quarter."""
_DEGREES = {"major": (0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 6, 6), "minor": (0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6)}
_MINOR = {"minor", "dorian", "phrygian"}
_FORMS = {4: 20, 6: 20, 8: 140, 9: 20, 10: 40, 12: 70, 14: 30, 16: 160, 18: 20, 20: 20, 24: 40, 32: 30}
"""How many forms are kept for tunes of so many bars."""
_RHYTHMS = 60
"""Bar rhythms kept a metre."""
_SHAPES = 200


def main() -> None:
    learned = tunes("learn")
    tables = {
        "moves": moves(learned),
        "places": places(learned),
        "kinds": kinds(learned),
        "rest_degrees": rest_degrees(learned),
        "starts": by_mode(learned, lambda tune: [lines(tune)[0]]),
        "finals": by_mode(learned, lambda tune: [lines(tune)[-1] % 7]),
        "reaches": reaches(learned),
        "shapes": shapes(learned),
        "rhythms": rhythms(learned),
        "forms": forms(learned),
        "shifts": shifts(learned),
    }
    text = json.dumps(tables, separators=(",", ":"), sort_keys=True)
    TABLES.write_text(text.replace('},"', '},\n"').replace('],"', '],\n"') + "\n")
    print(f"{TABLES.name}: {TABLES.stat().st_size} bytes from {len(learned)} tunes")


def mode_of(tune: Tune) -> str:
    return "minor" if tune.mode in _MINOR else "major"


def lines(tune: Tune) -> list[int]:
    """Each note's degree, counted on through the octaves from the tonic that is nearest to the last note."""
    last = tune.notes[-1].midi
    tonic = last - (last - tune.tonic + 5) % 12 + 5
    degrees = _DEGREES[mode_of(tune)]
    return [7 * ((note.midi - tonic) // 12) + degrees[(note.midi - tonic) % 12] for note in tune.notes]


def metre_of(tune: Tune) -> Metre:
    return Metre(*map(int, tune.metre.split("/")))


def length_class(duration: Fraction, beat: Fraction) -> int:
    """0 shorter than a beat, 1 a beat and less than two, 2 longer."""
    return 0 if duration < beat else 1 if duration < 2 * beat else 2


def _clip(move: int) -> int:
    return max(-FAR, min(FAR, move))


def moves(learned: Sequence[Tune]) -> dict[str, list[list[list[int]]]]:
    """Per mode, degree and last move (the 16th: none yet): the next move in per mille, sparse counts smoothed."""
    tables = {}
    width = 2 * FAR + 1
    for mode in ("major", "minor"):
        full: Counter[tuple[int, int, int]] = Counter()
        by_degree: Counter[tuple[int, int]] = Counter()
        by_last: Counter[tuple[int, int]] = Counter()
        alone: Counter[int] = Counter()
        for tune in learned:
            if mode_of(tune) != mode:
                continue
            heights, last = lines(tune), width
            for before, after in pairwise(heights):
                move = _clip(after - before) + FAR
                full[before % 7, last, move] += 1
                by_degree[before % 7, move] += 1
                by_last[last, move] += 1
                alone[move] += 1
                last = move
        total = sum(alone.values())
        table = []
        for degree in range(7):
            of_degree = sum(by_degree[degree, move] for move in range(width)) or 1
            rows = []
            for last in range(width + 1):
                of_last = sum(by_last[last, move] for move in range(width)) or 1
                backoff = []
                for move in range(width):
                    plain = (alone[move] + 1) / (total + width)
                    degree_share = (by_degree[degree, move] + 8 * plain) / (of_degree + 8)
                    last_share = (by_last[last, move] + 8 * plain) / (of_last + 8)
                    backoff.append(degree_share * last_share / plain)
                scale = sum(backoff)
                seen = sum(full[degree, last, move] for move in range(width))
                shares = [
                    (full[degree, last, move] + 10 * backoff[move] / scale) / (seen + 10) for move in range(width)
                ]
                rows.append([max(1, round(1000 * share)) for share in shares])
            table.append(rows)
        tables[mode] = table
    return tables


def places(learned: Sequence[Tune]) -> dict[str, list[list[int]]]:
    """Per mode, strength in the bar (0 to 3) times length class: how much more often each degree is there, in %."""
    tables = {}
    for mode in ("major", "minor"):
        counts: dict[int, Counter[int]] = defaultdict(Counter)
        alone: Counter[int] = Counter()
        for tune in learned:
            if mode_of(tune) != mode:
                continue
            metre = metre_of(tune)
            for note, line in zip(tune.notes, lines(tune), strict=True):
                place = 3 * metre.strength(note.onset % metre.bar) + length_class(note.duration, tune.beat)
                counts[place][line % 7] += 1
                alone[line % 7] += 1
        tables[mode] = [_ratios(counts[place], alone, range(7)) for place in range(12)]
    return tables


def kinds(learned: Sequence[Tune]) -> list[list[int]]:
    """Per strength times (shorter, as long as, longer than the note before): how much more often a note is reached by
    a leap down, a step down, a repeat, a step up, a leap up, in %."""
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    alone: Counter[int] = Counter()
    for tune in learned:
        metre = metre_of(tune)
        heights = lines(tune)
        for (before, after), (low, high) in zip(pairwise(tune.notes), pairwise(heights), strict=True):
            kind = max(-2, min(2, high - low)) + 2
            longer = (after.duration > before.duration) - (after.duration < before.duration) + 1
            counts[3 * metre.strength(after.onset % metre.bar) + longer][kind] += 1
            alone[kind] += 1
    return [_ratios(counts[place], alone, range(5)) for place in range(12)]


def _ratios(counts: Counter[int], alone: Counter[int], labels: Iterable[int]) -> list[int]:
    seen, total = sum(counts.values()), sum(alone.values())
    return [
        round(100 * (counts[label] + 20 * alone[label] / total) / (seen + 20) / (alone[label] / total))
        for label in labels
    ]


def rest_degrees(learned: Sequence[Tune]) -> dict[str, list[int]]:
    """Degrees of the longest notes before the end, in per mille: where phrases come to rest."""
    tables = {}
    for mode in ("major", "minor"):
        counts: Counter[int] = Counter()
        for tune in learned:
            if mode_of(tune) == mode:
                longest = max(note.duration for note in tune.notes)
                pairs = list(zip(tune.notes, lines(tune), strict=True))[:-1]
                counts.update(line % 7 for note, line in pairs if note.duration >= longest)
        tables[mode] = [round(1000 * counts[degree] / sum(counts.values())) for degree in range(7)]
    return tables


def by_mode(learned: Sequence[Tune], of: Any) -> dict[str, dict[str, int]]:
    tables = {}
    for mode in ("major", "minor"):
        counts = Counter(line for tune in learned if mode_of(tune) == mode for line in of(tune))
        tables[mode] = {str(line): count for line, count in sorted(counts.items()) if count > 1}
    return tables


def reaches(learned: Sequence[Tune]) -> list[list[int]]:
    """Lowest line, highest line, how many tunes."""
    counts = Counter((min(heights), max(heights)) for tune in learned if (heights := lines(tune)))
    return [[low, high, count] for (low, high), count in sorted(counts.items())]


def shapes(learned: Sequence[Tune]) -> list[list[int]]:
    """Mean heights of a tune's four quarters above its mean, in half lines."""
    found = []
    for tune in learned:
        heights = lines(tune)
        mean = sum(heights) / len(heights)
        quarter = tune.bar * tune.measures / 4
        shape = []
        for index in range(4):
            inside = [
                line
                for note, line in zip(tune.notes, heights, strict=True)
                if index * quarter <= note.onset < (index + 1) * quarter
            ]
            shape.append(round(2 * (sum(inside) / len(inside) - mean)) if inside else 0)
        found.append(shape)
    return sorted(random.Random("shapes").sample(found, _SHAPES))


def bars_of(tune: Tune) -> list[list[tuple[Note, int]]]:
    bars: list[list[tuple[Note, int]]] = [[] for _ in range(tune.measures)]
    for note, line in zip(tune.notes, lines(tune), strict=True):
        if note.onset >= 0:
            bars[int(note.onset // tune.bar)].append((note, line))
    return bars


def rhythm_of(bar: Sequence[tuple[Note, int]], length: Fraction) -> tuple[int, ...] | None:
    """Lengths up to the next onset; None for a bar that does not begin with a note or is too fine."""
    onsets = [note.onset % length * GRID for note, _ in bar]
    if not onsets or onsets[0] != 0 or any(onset.denominator != 1 for onset in onsets):
        return None
    ends = [*onsets[1:], length * GRID]
    return tuple(int(end - onset) for onset, end in zip(onsets, ends, strict=True))


def rhythms(learned: Sequence[Tune]) -> dict[str, list[list[Any]]]:
    """Per metre: the lengths in a bar, and how many bars have it inside of phrases, at the end of four, at the end."""
    counts: dict[str, dict[tuple[int, ...], list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    for tune in learned:
        bars = bars_of(tune)
        for index, bar in enumerate(bars):
            rhythm = rhythm_of(bar, tune.bar)
            if rhythm is not None:
                role = 2 if index == len(bars) - 1 else 1 if index % 4 == 3 else 0
                counts[tune.metre][rhythm][role] += 1
    tables = {}
    for metre, found in sorted(counts.items()):
        usual = sorted(found.items(), key=lambda item: (-sum(item[1]), item[0]))[:_RHYTHMS]
        tables[metre] = [[" ".join(map(str, rhythm)), *roles] for rhythm, roles in usual if sum(roles) > 1]
    return tables


def forms(learned: Sequence[Tune]) -> dict[str, list[str]]:
    """Which bar repeats which, by the number of bars: `.` new; then, with an earlier bar's number in base 36, all with
    that bar's rhythm: `e` equal, `s` at another height, `h` its first half equal, `t` its second half equal, `i` its
    first half at another height, `j` its second half at another height, `r` the rhythm only."""
    found: dict[int, list[str]] = defaultdict(list)
    for tune in learned:
        bars = bars_of(tune)
        if len(bars) in _FORMS and all(bars):
            found[len(bars)].append("".join(_relation(bars, index, tune.bar) for index in range(len(bars))))
    rng = random.Random("forms")
    return {
        str(count): sorted(rng.sample(found[count], min(limit, len(found[count])))) for count, limit in _FORMS.items()
    }


def _relation(bars: Sequence[Sequence[tuple[Note, int]]], index: int, length: Fraction) -> str:
    here = bars[index]
    for letter, is_same in _RELATIONS:
        for earlier in range(index):
            if _same_rhythm(bars[earlier], here, length) and is_same(_moved(bars[earlier], here)):
                return letter + "0123456789abcdefghijklmnopqrstuvwxyz"[earlier]
    return "."


def _same_rhythm(left: Any, right: Any, length: Fraction) -> bool:
    return [(n.onset % length, n.duration) for n, _ in left] == [(n.onset % length, n.duration) for n, _ in right]


def _moved(left: Any, right: Any) -> list[int]:
    """How many lines each note of a bar lies above that of another with the same rhythm."""
    return [high - low for (_, low), (_, high) in zip(left, right, strict=True)]


def _is_shifted(moved: list[int]) -> bool:
    return len(moved) >= 3 and len(set(moved)) == 1


_RELATIONS: tuple[tuple[str, Callable[[list[int]], bool]], ...] = (
    ("e", lambda moved: not any(moved)),
    ("s", _is_shifted),
    ("h", lambda moved: len(moved) >= 4 and not any(moved[: len(moved) // 2])),
    ("t", lambda moved: len(moved) >= 4 and not any(moved[len(moved) // 2 :])),
    ("i", lambda moved: _is_shifted(moved[: (len(moved) + 1) // 2])),
    ("j", lambda moved: _is_shifted(moved[len(moved) // 2 :])),
    ("r", lambda moved: True),
)


def shifts(learned: Sequence[Tune]) -> dict[str, int]:
    """How many lines a bar of the same rhythm and shape is moved."""
    counts: Counter[int] = Counter()
    for tune in learned:
        bars = bars_of(tune)
        for index in range(len(bars)):
            for earlier in range(index):
                same = bars[index] and _same_rhythm(bars[earlier], bars[index], tune.bar)
                if same and _is_shifted(moved := _moved(bars[earlier], bars[index])):
                    counts[moved[0]] += 1
    return {str(shift): count for shift, count in sorted(counts.items()) if shift and abs(shift) <= 5}


if __name__ == "__main__":
    main()
