"""Measure how similar generated melodies are to folk tunes, by the overlap of 31 feature histograms.

`benchmarks.support.melody_features` has the features. The reference is 200 real tunes. Another 200 tunes define the
requests: each asks for a melody in the tune's key, metre, number of measures and density (notes per measure), with
defaults for all other fields. Three sets are compared with the reference: the generated melodies, random walks for the
same requests, and the other 200 tunes themselves, which are the upper limit. The generator's tables are learned from a
third part of the list (`evaluation.corpora.folk_tunes`). The features and the list were fixed before the generator was
tuned.
"""

from collections.abc import Mapping, Sequence

from benchmarks.baselines import random_walk_melody
from benchmarks.support.melody_features import FEATURES, of_set, overlap
from benchmarks.support.report import Report, Requirement, Row
from consort_compose.composer.melody.engine.generate import generate
from consort_compose.composer.melody.engine.request_and_result import Density, MelodyRequest
from consort_music.keys import parse_key
from consort_music.metre import parse_metre
from evaluation.checkers.harmony import SCALES
from evaluation.corpora.folk_tunes import FolkTune, TuneNote, folk_tunes

LOW, HIGH = 60, 84
"""The default range of generate_melody."""
TONICS = ("C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")


def run() -> Report:
    reference, asked = folk_tunes("reference"), folk_tunes("requests")
    sets = {
        "random walk": [walked(tune, seed) for seed, tune in enumerate(asked)],
        "consort": [generated(tune, seed) for seed, tune in enumerate(asked)],
        "real": asked,
    }
    overlaps = {name: overlaps_with(reference, melodies) for name, melodies in sets.items()}
    means = {name: sum(found.values()) / len(found) for name, found in overlaps.items()}
    rows: list[Row] = [
        {"about": group, "feature": feature.__name__, **{name: overlaps[name][feature.__name__] for name in sets}}
        for group, features in FEATURES.items()
        for feature in features
    ]
    return Report(
        title=f"Overlap of melodies with {len(reference)} folk tunes, {len(rows)} features",
        rows=[*rows, {"about": "mean of all", **means}],
        summary=(
            f"Mean overlap with folk tunes: random walk {means['random walk']:.3f}, consort {means['consort']:.3f}, "
            f"real against real {means['real']:.3f}."
        ),
        requirements=[Requirement("mean overlap", means["consort"], 0.82, more_is_better=True)],
    )


def overlaps_with(reference: Sequence[FolkTune], melodies: Sequence[FolkTune]) -> Mapping[str, float]:
    return {
        feature.__name__: overlap(of_set(feature, melodies), of_set(feature, reference))
        for features in FEATURES.values()
        for feature in features
    }


def density(tune: FolkTune) -> Density:
    """Return the density of generate_melody: sparse, medium or dense (1-2, 2-4 or 4-8 notes in a 4/4 measure)."""
    return "sparse" if tune.density <= 0.5 else "medium" if tune.density <= 1 else "dense"


def walked(tune: FolkTune, seed: int) -> FolkTune:
    pitches = [midi for midi in range(LOW, HIGH + 1) if (midi - tune.tonic) % 12 in SCALES[tune.mode]]
    notes = random_walk_melody.walk(pitches, tune.measures, tune.bar, density(tune), seed)
    melody = tuple(TuneNote(*note) for note in notes)
    return FolkTune(f"walk {seed}", tune.metre, tune.tonic, tune.mode, tune.measures, melody)


def generated(tune: FolkTune, seed: int) -> FolkTune:
    key = parse_key(f"{TONICS[tune.tonic]} {tune.mode}")
    request = MelodyRequest(key, tune.measures, parse_metre(tune.metre), LOW, HIGH, density=density(tune))
    melody = generate(request, seed)
    notes = (
        TuneNote(timing.onset, timing.duration, midi)
        for timing, midi in zip(melody.timings, melody.pitches, strict=True)
    )
    return FolkTune(f"seed {seed}", tune.metre, tune.tonic, tune.mode, tune.measures, tuple(notes))
