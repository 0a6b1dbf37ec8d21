"""Measure how similar generated melodies are to folk tunes: by the overlap of 31 histograms, and by a classifier.

**Overlap.** `benchmarks.support.melody_features` has the features. The reference is 200 real tunes. Another 200 tunes
define the requests: each asks for a melody in the tune's key, metre, number of measures, density (notes per measure)
and pickup, with defaults for all other fields. Three sets are compared with the reference: the generated melodies,
random walks for the same requests, and the other 200 tunes themselves, which are the upper limit. The generator's
tables are learned from a third part of the list (`evaluation.corpora.folk_tunes`). The features and the list were fixed
before the generator was tuned.

**Classifier.** For each real tune, one melody is generated with the same key, metre, measures, density and pickup.
Boosted trees learn to tell the two kinds apart from the numbers of `benchmarks.support.tune_numbers`. Their AUC is
cross-validated: 0.5 means that they cannot tell, 1 that they always can. It is measured on the 400 tunes of `reference`
and `requests`, and on the tunes of `unseen`, whose collections the generator has never learned from.
The generator chooses between drafts by numbers like these (`fit_folk_likeness`), with weights from the part `learn`.

**Beats.** In compound and irregular metres, the table says how many bars hide a beat, and how many notes a bar has.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import fmean

import numpy as np

from benchmarks.baselines import random_walk_melody
from benchmarks.support.boosted_trees import cross_validated_auc
from benchmarks.support.melody_features import FEATURES, of_set, overlap
from benchmarks.support.report import Report, Requirement, Row
from benchmarks.support.tune_numbers import number_table
from consort_compose.composer.melody.engine.folk_statistics import Style
from consort_compose.composer.melody.engine.generate import generate
from consort_compose.composer.melody.engine.request_and_result import Density, MelodyRequest
from consort_music.keys import parse_key
from consort_music.metre import parse_metre
from evaluation.checkers.harmony import SCALES
from evaluation.corpora.folk_tunes import FolkTune, TuneNote, folk_tunes

LOW, HIGH = 60, 84
"""The default range of generate_melody."""
BEAT_METRES = ("6/8", "9/8", "12/8", "5/8", "7/8")
DENSITIES: tuple[Density, ...] = ("sparse", "medium", "dense")
TONICS = ("C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")


def run() -> Report:
    reference, asked, unseen = folk_tunes("reference"), folk_tunes("requests"), folk_tunes("unseen")
    sets = {
        "random walk": [walked(tune, seed) for seed, tune in enumerate(asked)],
        "consort": [generated(tune, seed) for seed, tune in enumerate(asked)],
        "real": asked,
    }
    overlaps = {name: overlaps_with(reference, melodies) for name, melodies in sets.items()}
    means = {name: mean_of(found) for name, found in overlaps.items()}
    rows: list[Row] = [
        {"about": group, "feature": feature.__name__, **{name: overlaps[name][feature.__name__] for name in sets}}
        for group, features in FEATURES.items()
        for feature in features
    ]
    count = len(rows)
    like_unseen = [generated(tune, seed) for seed, tune in enumerate(unseen)]
    in_unseen = {
        name: mean_of(overlaps_with(unseen, tunes)) for name, tunes in (("consort", like_unseen), ("real", asked))
    }
    rows += [
        {"about": "mean of all", **means},
        {"about": "mean of all", "feature": "unseen collections", **in_unseen},
    ]
    known = [*reference, *asked]
    like_known = [generated(tune, seed) for seed, tune in enumerate(reference, len(asked))] + sets["consort"]
    aucs = {
        "reference and requests": classifier_auc(known, like_known),
        "unseen collections": classifier_auc(unseen, like_unseen),
    }
    rows += [{"about": "classifier AUC", "feature": name, "consort": found} for name, found in aucs.items()]
    rows.append({"about": "classifier AUC", "feature": "reference, requests", "real": classifier_auc(reference, asked)})
    rows += beat_rows()
    return Report(
        title=f"Likeness of melodies and {len(reference)} folk tunes, {count} features",
        rows=rows,
        summary=(
            f"Mean overlap with folk tunes: random walk {means['random walk']:.3f}, consort {means['consort']:.3f}, "
            f"real against real {means['real']:.3f}. AUC of a classifier: {aucs['reference and requests']:.3f}, in "
            f"unseen collections {aucs['unseen collections']:.3f}."
        ),
        requirements=[Requirement("mean overlap", means["consort"], 0.82, more_is_better=True)],
    )


def mean_of(overlaps: Mapping[str, float]) -> float:
    return sum(overlaps.values()) / len(overlaps)


def classifier_auc(real: Sequence[FolkTune], other: Sequence[FolkTune]) -> float:
    """Return the mean cross-validated AUC of three divisions into folds."""
    _, real_numbers = number_table(real)
    _, other_numbers = number_table(other)
    table = np.vstack([real_numbers, other_numbers])
    labels = np.arange(len(table)) >= len(real)
    return fmean(cross_validated_auc(table, labels, seed=seed) for seed in range(3))


def beat_rows() -> list[Row]:
    """Return, for each metre and density, the share of bars in which a beat has no onset, and the notes in a bar.

    The column `real` is of all tunes that may be learned, where there are some in this metre.
    """
    real = [tune for tune in folk_tunes("learn") if tune.metre in BEAT_METRES]
    rows: list[Row] = []
    for metre in BEAT_METRES:
        tunes = [tune for tune in real if tune.metre == metre]
        for asked in DENSITIES:
            request = MelodyRequest(parse_key("C major"), 8, parse_metre(metre), LOW, HIGH, density=asked)
            made = [as_tune(request, seed)[0] for seed in range(40)]
            about = f"{metre} {asked}"
            for name, measure in (("bars that hide a beat", hidden_beats), ("notes in a bar", notes_in_a_bar)):
                values = {"consort": measure(made)} | ({"real": measure(tunes)} if tunes and asked == "medium" else {})
                rows.append({"about": about, "feature": name, **values})
    return rows


def hidden_beats(tunes: Sequence[FolkTune]) -> float:
    """Return the share of bars in which a beat has no onset. The last bars of tunes do not count."""
    hidden = []
    for tune in tunes:
        onsets = {note.onset for note in tune.notes}
        beats = parse_metre(tune.metre).beats
        starts = [bar * tune.bar for bar in range(tune.measures - 1)]
        hidden += [any(start + beat not in onsets for beat in beats) for start in starts]
    return fmean(hidden)


def notes_in_a_bar(tunes: Sequence[FolkTune]) -> float:
    return sum(len(tune.notes) for tune in tunes) / sum(tune.measures for tune in tunes)


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
    return as_tune(request_like(tune), seed)[0]


def request_like(tune: FolkTune) -> MelodyRequest:
    """Return a request with the tune's key, metre, measures, density and pickup."""
    key = parse_key(f"{TONICS[tune.tonic]} {tune.mode}")
    pickup = max(Fraction(0), -tune.notes[0].onset)
    return MelodyRequest(key, tune.measures, parse_metre(tune.metre), LOW, HIGH, density=density(tune), pickup=pickup)


def as_tune(request: MelodyRequest, seed: int) -> tuple[FolkTune, Style]:
    """Generate a melody. Return it, and whether it was written as a song or as a dance."""
    melody = generate(request, seed)
    notes = (
        TuneNote(timing.onset, timing.duration, midi)
        for timing, midi in zip(melody.timings, melody.pitches, strict=True)
    )
    key, metre = request.key, request.metre.name
    return FolkTune(f"seed {seed}", metre, key.tonic, key.mode, request.measures, tuple(notes)), melody.style
