"""Write `folk_likeness.json`, the weights of generate_melody: `python -m benchmarks.training.fit_folk_likeness`.

This takes a minute. For each tune of the part `learn`, a melody is generated with the same key, metre, measures,
density and pickup, and with weights of 0, so that the first draft is kept. For songs and for dances, two logistic
models learn to tell the tunes from these drafts: one by the numbers of their rhythms, one by those of their pitches.
"""

import json
from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks.melody import as_tune, request_like
from benchmarks.support.boosted_trees import auc
from benchmarks.support.tune_numbers import without_rests
from benchmarks.training.count_folk_statistics import ENGINE, STYLES, style_of
from benchmarks.training.logistic import fit_logistic
from consort_audio.signals.arrays import Numbers
from consort_compose.composer.melody.engine.folk_likeness import (
    PITCH_NUMBERS,
    RHYTHM_NUMBERS,
    note_places,
    pitch_numbers,
    rhythm_numbers,
)
from consort_compose.composer.melody.engine.folk_statistics import GRID, Style
from consort_compose.composer.melody.engine.request_and_result import NoteTiming
from consort_music.metre import parse_metre
from evaluation.corpora.folk_tunes import FolkTune, folk_tunes

TABLE = ENGINE / "folk_likeness.json"
PENALTY = 30.0


def main() -> None:
    none = {"rhythm": dict.fromkeys(RHYTHM_NUMBERS, (0, 0)), "pitches": dict.fromkeys(PITCH_NUMBERS, (0, 0))}
    write({style: none for style in STYLES})
    real = folk_tunes("learn")
    made = [as_tune(request_like(tune), seed) for seed, tune in enumerate(real)]
    tables: dict[Style, Mapping[str, Mapping[str, tuple[float, float]]]] = {}
    for style in STYLES:
        of_style = [tune for tune in real if style_of(tune) == style]
        tables[style] = fitted(style, of_style, [tune for tune, found in made if found == style])
    write(tables)


def fitted(
    style: Style, real: Sequence[FolkTune], made: Sequence[FolkTune]
) -> Mapping[str, Mapping[str, tuple[float, float]]]:
    """Return the weights of both models for one style."""
    tables = {}
    for name, names, numbers in (
        ("rhythm", RHYTHM_NUMBERS, numbers_of_rhythm),
        ("pitches", PITCH_NUMBERS, numbers_of_pitches),
    ):
        table: Numbers = np.array([numbers(tune) for tune in [*real, *made]])
        is_real = np.arange(len(table)) < len(real)
        with_squares = np.hstack([table, table**2])
        model = fit_logistic(with_squares, is_real, penalty=PENALTY)
        rows = model.weights.reshape(2, -1).T
        tables[name] = {label: (short(a), short(b)) for label, (a, b) in zip(names, rows, strict=True)}
        print(f"{style}, {name}: AUC of the learned tunes {auc(model(with_squares), is_real):.3f}")
    return tables


def short(weight: float) -> float:
    return float(f"{weight:.3g}")


def write(tables: Mapping[Style, Mapping[str, Mapping[str, tuple[float, float]]]]) -> None:
    TABLE.write_text(json.dumps(tables).replace("], ", "],\n") + "\n")


def numbers_of_rhythm(tune: FolkTune) -> Sequence[float]:
    bars: list[list[int]] = [[] for _ in range(tune.measures)]
    for note in tune.notes:
        if note.onset >= 0:
            bars[int(note.onset // tune.bar)].append(round(note.onset % tune.bar * GRID))
    return rhythm_numbers(parse_metre(tune.metre), list(map(tuple, bars)))


def numbers_of_pitches(tune: FolkTune) -> Sequence[float]:
    metre = parse_metre(tune.metre)
    timings = [
        NoteTiming(
            note.onset, note.duration, max(0, int(note.onset // tune.bar) + 1), metre.strength(note.onset % tune.bar)
        )
        for note in without_rests(tune).notes
    ]
    return pitch_numbers(note_places(metre, timings), tune.tonic, [note.midi for note in tune.notes])


if __name__ == "__main__":
    main()
