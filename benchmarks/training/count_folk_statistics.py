"""Write `folk_statistics.json`, the tables of generate_melody: `python -m benchmarks.training.count_folk_statistics`.

This takes two minutes. Only the tunes of the part `learn` are read. `FolkStatistics` in compose-svc describes the
tables. They contain counts, never whole tunes. Pitches are counted in staff steps (letters of the scale, seven to the
octave) above the tonic that is nearest to the last note.
"""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.training.folk_tune_bars import forms, mode_of, percent_density, rhythms, shifts, staff_steps
from consort_compose.composer.melody.engine.folk_statistics import Style
from consort_music.metre import Metre
from evaluation.corpora.folk_tunes import FolkTune, folk_tunes

ENGINE = Path(__file__).parents[2] / "compose-svc" / "src" / "consort_compose" / "composer" / "melody" / "engine"
TABLES = ENGINE / "folk_statistics.json"
WIDEST_MOVE = 7
"""In staff steps. Moves wider than an octave are counted as an octave."""
STYLES: tuple[Style, ...] = ("song", "dance")
_FEWEST_TUNES = 15
"""If a style has fewer tunes than this in a metre or of a length, those of the other style are counted with them."""
_REACHES_KEPT = 200
"""Number of tunes whose range is kept, for each style."""
_SHAPES_KEPT = 200
"""Number of tunes whose shape is kept, for each style."""
_PROFILES_KEPT = 160
"""Number of tunes in each metre whose profile is kept."""


def main() -> None:
    learned = folk_tunes("learn")
    tables: dict[str, Any] = {style: tables_of_style(style, learned) for style in STYLES}
    tables["profiles"] = profiles(learned)
    text = json.dumps(tables, separators=(",", ":"), sort_keys=True)
    TABLES.write_text(text.replace('},"', '},\n"').replace('],"', '],\n"') + "\n")
    print(f"{TABLES.name}: {TABLES.stat().st_size} bytes from {len(learned)} tunes")


def tables_of_style(style: Style, learned: Sequence[FolkTune]) -> dict[str, Any]:
    """Return all tables of a style. There are few songs in minor, so tunes in minor count for both styles."""
    own = [tune for tune in learned if style_of(tune) == style]
    with_minor = [tune for tune in learned if style_of(tune) == style or mode_of(tune) == "minor"]
    return {
        "moves": moves(with_minor),
        "places": places(with_minor),
        "kinds": kinds(own),
        "endings": endings(own),
        "rest_degrees": rest_degrees(with_minor),
        "starts": count_by_mode(with_minor, lambda tune: staff_steps(tune)[0]),
        "finals": count_by_mode(with_minor, lambda tune: staff_steps(tune)[-1] % 7),
        "reaches": reaches(own),
        "shapes": shapes(own),
        "rhythms": rhythms(enough_of(own, learned, lambda tune: tune.metre)),
        "forms": forms(enough_of(own, learned, lambda tune: tune.measures)),
        "shifts": shifts(own),
    }


def enough_of(own: Sequence[FolkTune], learned: Sequence[FolkTune], label: Callable[[FolkTune], Any]) -> list[FolkTune]:
    """Return the tunes of a style and, for labels that few of them have, the tunes of the other style too."""
    counts = Counter(map(label, own))
    of_style = {tune.name for tune in own}
    return [tune for tune in learned if tune.name in of_style or counts[label(tune)] < _FEWEST_TUNES]


def style_of(tune: FolkTune) -> Style:
    """Return the style by the collection: the Essen collection has songs, the others mostly dances."""
    return "song" if tune.name.startswith("essenFolksong/") else "dance"


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
    for tune in learned:
        for kind, place in kinds_and_places(tune):
            counts[place][kind] += 1
    return [_percent_of_mean(counts[place], kind_counts(learned), range(7)) for place in range(12)]


def kinds_and_places(tune: FolkTune) -> Iterator[tuple[int, int]]:
    """Yield the kind of each move, and 3 * metrical strength + length change of the note that it leads to."""
    metre = metre_of(tune)
    for (before, after), (step, next_step) in zip(pairwise(tune.notes), pairwise(staff_steps(tune)), strict=True):
        longer = (after.duration > before.duration) - (after.duration < before.duration) + 1
        yield max(-3, min(3, next_step - step)) + 3, 3 * metre.strength(after.onset % metre.bar) + longer


def kind_counts(learned: Sequence[FolkTune]) -> Counter[int]:
    return Counter(kind for tune in learned for kind, _ in kinds_and_places(tune))


def endings(learned: Sequence[FolkTune]) -> list[list[int]]:
    """Return `[kind of move]` for the move before the last and for the last move of a tune: how often it is.

    It is given in percent of the frequency that `kinds` lets expect for notes of this strength and length.
    """
    expected_shares, alone = kinds(learned), kind_counts(learned)
    tables = []
    for back in (2, 1):
        found: Counter[int] = Counter()
        expected = [0.0] * 7
        for tune in learned:
            kind, place = list(kinds_and_places(tune))[-back]
            found[kind] += 1
            weights = [alone[each] * share for each, share in enumerate(expected_shares[place])]
            expected = [so_far + weight / sum(weights) for so_far, weight in zip(expected, weights, strict=True)]
        more = 1 + 5 / len(learned)
        percents = [round(100 * (found[kind] / expected[kind] + more - 1) / more) for kind in range(7)]
        tables.append([max(1, percent) for percent in percents])  # 0 would forbid a move
    return tables


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
    """Return `[metre]`: rows of nine numbers, each of one tune.

    They are 1 for a dance, 1 for minor, 1 for a pickup, the bars, the notes per quarter in percent, and four shares in
    per mille. The shares are wide leaps, thirds and repeats among the moves, and changes of direction among the moves
    that are no repeats.
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
        kind = [style_of(tune) == "dance", mode_of(tune) == "minor", tune.notes[0].onset < 0]
        found[tune.metre].append(
            [*map(int, kind), tune.measures, percent_density(tune), *(round(1000 * share) for share in shares)]
        )
    rng = random.Random("profiles")
    return {metre: sorted(rng.sample(rows, min(_PROFILES_KEPT, len(rows)))) for metre, rows in sorted(found.items())}


if __name__ == "__main__":
    main()
