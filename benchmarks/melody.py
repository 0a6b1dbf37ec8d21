"""Melodies beside folk tunes: how much the histograms of 31 features overlap (`parts/melody_features.py`).

200 real tunes are the reference. Another 200 say what to ask for: a melody in their key, metre, number of measures and
density (notes a measure), everything else left at its default. What the generator answers is compared
with the reference, and so are a random walk for the same requests and those 200 tunes themselves: real
against real is the most that can be reached. Tables are learned from a third part of the list (`parts/folk_tunes.py`);
features and list were fixed before the generator was tuned.
"""

from collections.abc import Mapping, Sequence

from benchmarks.baselines import random_walk_melody
from benchmarks.parts.folk_tunes import Note, Tune, tunes
from benchmarks.parts.melody_features import FEATURES, of_set, overlap
from benchmarks.report import Floor, Report, Row
from consort_compose.composer.melody.generate import generate
from consort_compose.composer.melody.request import Density, MelodyRequest
from consort_music.keys import parse_key
from consort_music.metre import parse_metre

LOW, HIGH = 60, 84
"""The default range of generate_melody."""
TONICS = ("C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")
SCALES = {
    "major": (0, 2, 4, 5, 7, 9, 11),
    "minor": (0, 2, 3, 5, 7, 8, 10),
    "dorian": (0, 2, 3, 5, 7, 9, 10),
    "phrygian": (0, 1, 3, 5, 7, 8, 10),
    "lydian": (0, 2, 4, 6, 7, 9, 11),
    "mixolydian": (0, 2, 4, 5, 7, 9, 10),
}


def run() -> Report:
    reference, asked = tunes("reference"), tunes("requests")
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
        floors=[Floor("mean overlap", means["consort"], 0.82, more_is_better=True)],
    )


def overlaps_with(reference: Sequence[Tune], melodies: Sequence[Tune]) -> Mapping[str, float]:
    return {
        feature.__name__: overlap(of_set(feature, melodies), of_set(feature, reference))
        for features in FEATURES.values()
        for feature in features
    }


def density(tune: Tune) -> Density:
    """As generate_melody means it: 1-2, 2-4 and 4-8 notes in a measure of four quarters."""
    return "sparse" if tune.density <= 0.5 else "medium" if tune.density <= 1 else "dense"


def walked(tune: Tune, seed: int) -> Tune:
    pitches = [midi for midi in range(LOW, HIGH + 1) if (midi - tune.tonic) % 12 in SCALES[tune.mode]]
    notes = random_walk_melody.walk(pitches, tune.measures, tune.bar, density(tune), seed)
    melody = tuple(Note(*note) for note in notes)
    return Tune(f"walk {seed}", tune.metre, tune.tonic, tune.mode, tune.measures, melody)


def generated(tune: Tune, seed: int) -> Tune:
    key = parse_key(f"{TONICS[tune.tonic]} {tune.mode}")
    request = MelodyRequest(key, tune.measures, parse_metre(tune.metre), LOW, HIGH, density=density(tune))
    melody = generate(request, seed)
    notes = (Note(beat.onset, beat.duration, midi) for beat, midi in zip(melody.beats, melody.pitches, strict=True))
    return Tune(f"seed {seed}", tune.metre, tune.tonic, tune.mode, tune.measures, tuple(notes))
