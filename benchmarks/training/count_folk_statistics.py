"""Write `folk_statistics.json`, the tables of generate_melody: `python -m benchmarks.training.count_folk_statistics`.

This takes two minutes. Only the tunes of the part `learn` are read. `FolkStatistics` in compose-svc describes the
tables. They contain counts, never whole tunes. Pitches are counted in staff steps (letters of the scale, seven to the
octave) above the tonic that is nearest to the last note.
"""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from consort_music.metre import Metre
from evaluation.corpora.folk_tunes import FolkTune, TuneNote, folk_tunes

TuneBar = Sequence[tuple[TuneNote, int]]
"""The notes of a bar, each with its staff step."""

ENGINE = Path(__file__).parents[2] / "compose-svc" / "src" / "consort_compose" / "composer" / "melody" / "engine"
TABLES = ENGINE / "folk_statistics.json"
WIDEST_MOVE = 7
"""In staff steps. Moves wider than an octave are counted as an octave."""
GRID = 12
"""Rhythms are stored in twelfths of a quarter."""
_DEGREES = {"major": (0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 6, 6), "minor": (0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6)}
"""By mode: the degree (0 to 6) of each number of semitones above the tonic."""
_MINOR = {"minor", "dorian", "phrygian"}
_FORMS_KEPT = {4: 20, 6: 20, 8: 140, 9: 20, 10: 40, 12: 70, 14: 30, 16: 160, 18: 20, 20: 20, 24: 40, 32: 30}
"""By number of bars: how many forms of that length are kept."""
_RHYTHMS_KEPT = 60
"""Number of bar rhythms kept for each metre."""
_REACHES_KEPT = 300
"""Number of tunes whose range is kept."""
_SHAPES_KEPT = 200
"""Number of tunes whose shape is kept."""
_PROFILES_KEPT = 120
"""Number of tunes in each metre whose profile is kept."""


def main() -> None:
    learned = folk_tunes("learn")
    tables = {
        "moves": moves(learned),
        "places": places(learned),
        "kinds": kinds(learned),
        "rest_degrees": rest_degrees(learned),
        "starts": count_by_mode(learned, lambda tune: staff_steps(tune)[0]),
        "finals": count_by_mode(learned, lambda tune: staff_steps(tune)[-1] % 7),
        "reaches": reaches(learned),
        "shapes": shapes(learned),
        "profiles": profiles(learned),
        "rhythms": rhythms(learned),
        "forms": forms(learned),
        "shifts": shifts(learned),
    }
    text = json.dumps(tables, separators=(",", ":"), sort_keys=True)
    TABLES.write_text(text.replace('},"', '},\n"').replace('],"', '],\n"') + "\n")
    print(f"{TABLES.name}: {TABLES.stat().st_size} bytes from {len(learned)} tunes")


def mode_of(tune: FolkTune) -> str:
    return "minor" if tune.mode in _MINOR else "major"


def staff_steps(tune: FolkTune) -> list[int]:
    """Return the staff step of each note, counted from the tonic that is nearest to the last note."""
    last = tune.notes[-1].midi
    tonic = last - (last - tune.tonic + 5) % 12 + 5
    degrees = _DEGREES[mode_of(tune)]
    return [7 * ((note.midi - tonic) // 12) + degrees[(note.midi - tonic) % 12] for note in tune.notes]


def metre_of(tune: FolkTune) -> Metre:
    return Metre(*map(int, tune.metre.split("/")))


def length_class(duration: Fraction, beat: Fraction) -> int:
    """Return 0 for less than a beat, 1 for less than two beats, otherwise 2."""
    return 0 if duration < beat else 1 if duration < 2 * beat else 2


def moves(learned: Sequence[FolkTune]) -> dict[str, list[list[list[int]]]]:
    """Return `[mode][degree][last move][next move]`: how often the next move follows, in per mille.

    The moves -7 to 7 have the indices 0 to 14. Index 15 of the last move stands for the first note, which has none.
    Combinations that are rare in the tunes are smoothed with the counts by degree alone and by last move alone.
    """
    tables = {}
    width = 2 * WIDEST_MOVE + 1
    for mode in ("major", "minor"):
        full: Counter[tuple[int, int, int]] = Counter()
        by_degree: Counter[tuple[int, int]] = Counter()
        by_last: Counter[tuple[int, int]] = Counter()
        alone: Counter[int] = Counter()
        for tune in learned:
            if mode_of(tune) != mode:
                continue
            last = width
            for before, after in pairwise(staff_steps(tune)):
                move = max(-WIDEST_MOVE, min(WIDEST_MOVE, after - before)) + WIDEST_MOVE
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


def places(learned: Sequence[FolkTune]) -> dict[str, list[list[int]]]:
    """Return `[mode][3 * metrical strength + length class][degree]`: the frequency of the degree there.

    It is given in percent of the degree's mean frequency: 200 means twice as often.
    """
    tables = {}
    for mode in ("major", "minor"):
        counts: dict[int, Counter[int]] = defaultdict(Counter)
        alone: Counter[int] = Counter()
        for tune in learned:
            if mode_of(tune) != mode:
                continue
            metre = metre_of(tune)
            for note, step in zip(tune.notes, staff_steps(tune), strict=True):
                place = 3 * metre.strength(note.onset % metre.bar) + length_class(note.duration, tune.beat)
                counts[place][step % 7] += 1
                alone[step % 7] += 1
        tables[mode] = [_percent_of_mean(counts[place], alone, range(7)) for place in range(12)]
    return tables


def kinds(learned: Sequence[FolkTune]) -> list[list[int]]:
    """Return `[3 * metrical strength + length change][kind of move]`: how often a note is reached by this kind of move.

    It is given in percent of the mean frequency of the kind. The length change is 0 if the note is shorter than the
    note before, 1 if it is as long, and 2 if it is longer. The kinds are wide leap down, third down, step down, repeat,
    step up, third up and wide leap up.
    """
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    alone: Counter[int] = Counter()
    for tune in learned:
        metre = metre_of(tune)
        steps = staff_steps(tune)
        for (before, after), (step, next_step) in zip(pairwise(tune.notes), pairwise(steps), strict=True):
            kind = max(-3, min(3, next_step - step)) + 3
            longer = (after.duration > before.duration) - (after.duration < before.duration) + 1
            counts[3 * metre.strength(after.onset % metre.bar) + longer][kind] += 1
            alone[kind] += 1
    return [_percent_of_mean(counts[place], alone, range(7)) for place in range(12)]


def _percent_of_mean(counts: Counter[int], alone: Counter[int], labels: Iterable[int]) -> list[int]:
    """Return the share of each label in `counts`, in percent of its share in `alone`. Small counts are smoothed."""
    seen, total = sum(counts.values()), sum(alone.values())
    return [
        round(100 * (counts[label] + 20 * alone[label] / total) / (seen + 20) / (alone[label] / total))
        for label in labels
    ]


def rest_degrees(learned: Sequence[FolkTune]) -> dict[str, list[int]]:
    """Return `[mode][degree]`: how many of the longest notes have this degree, in per mille.

    Last notes are not counted. The longest notes of a tune mostly end its phrases.
    """
    tables = {}
    for mode in ("major", "minor"):
        counts: Counter[int] = Counter()
        for tune in learned:
            if mode_of(tune) == mode:
                longest = max(note.duration for note in tune.notes)
                pairs = list(zip(tune.notes, staff_steps(tune), strict=True))[:-1]
                counts.update(step % 7 for note, step in pairs if note.duration >= longest)
        tables[mode] = [round(1000 * counts[degree] / sum(counts.values())) for degree in range(7)]
    return tables


def count_by_mode(learned: Sequence[FolkTune], value: Callable[[FolkTune], int]) -> dict[str, dict[str, int]]:
    """Return `[mode][value]`: the number of tunes with this value, if there are at least two."""
    tables = {}
    for mode in ("major", "minor"):
        counts = Counter(value(tune) for tune in learned if mode_of(tune) == mode)
        tables[mode] = {str(found): count for found, count in sorted(counts.items()) if count > 1}
    return tables


def reaches(learned: Sequence[FolkTune]) -> list[list[int]]:
    """Return rows of lowest staff step, highest staff step and notes per quarter in percent, for a sample of tunes."""
    found = [[min(steps), max(steps), percent_density(tune)] for tune in learned if (steps := staff_steps(tune))]
    return sorted(random.Random("reaches").sample(found, _REACHES_KEPT))


def percent_density(tune: FolkTune) -> int:
    """Return the notes per quarter, in percent."""
    return round(100 * tune.density)


def shapes(learned: Sequence[FolkTune]) -> list[list[int]]:
    """Return four numbers for each tune of a sample: the mean pitch of each quarter of the tune, above its mean pitch.

    The unit is half a staff step.
    """
    found = []
    for tune in learned:
        steps = staff_steps(tune)
        mean = sum(steps) / len(steps)
        quarter = tune.bar * tune.measures / 4
        shape = []
        for index in range(4):
            inside = [
                step
                for note, step in zip(tune.notes, steps, strict=True)
                if index * quarter <= note.onset < (index + 1) * quarter
            ]
            shape.append(round(2 * (sum(inside) / len(inside) - mean)) if inside else 0)
        found.append(shape)
    return sorted(random.Random("shapes").sample(found, _SHAPES_KEPT))


def profiles(learned: Sequence[FolkTune]) -> dict[str, list[list[int]]]:
    """Return `[metre]`: for single tunes, notes per quarter in percent and four shares in per mille.

    The shares are wide leaps, thirds and repeats among the moves, and changes of direction among the moves that are no
    repeats.
    """
    found: dict[str, list[list[int]]] = defaultdict(list)
    for tune in learned:
        sizes = [after - before for before, after in pairwise(staff_steps(tune))]
        moving = [size for size in sizes if size]
        turns = sum(a * b < 0 for a, b in pairwise(moving)) / max(1, len(moving) - 1)
        shares = (
            sum(abs(size) >= 3 for size in sizes) / len(sizes),
            sum(abs(size) == 2 for size in sizes) / len(sizes),
            sizes.count(0) / len(sizes),
            turns,
        )
        found[tune.metre].append([percent_density(tune), *(round(1000 * share) for share in shares)])
    rng = random.Random("profiles")
    return {metre: sorted(rng.sample(rows, min(_PROFILES_KEPT, len(rows)))) for metre, rows in sorted(found.items())}


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
    """Return `[metre]`: rows of a bar rhythm and its counts inside phrases, at ends of phrases and at ends of tunes.

    Every fourth bar counts as the end of a phrase.
    """
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


if __name__ == "__main__":
    main()
