"""Fit the weights of `consort_music.notation.performance_to_score.bars.metre_choice` (a conditional logit model).

    python -m benchmarks.training.train_metre_choice

The scores of `consort bench notation` (part `tune`) and others of music21's corpus, which are in neither part (a few of
each folder in turn), are played as the bench plays them. The pulse of each is followed; the hypotheses are right that
write the true metre (or an equal one) with bars at the true places; of readings in other values, only the one with the
written beat. The weights make right hypotheses most probable. A folder of the corpus counts by the square root of the
number of its scores. It prints the share of right choices in a cross-validation, then writes the weights.
"""

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.performances import corpus_scores
from benchmarks.performances.corpus_scores import CorpusPerformance
from benchmarks.performances.measures import metre_class, true_notes
from consort_music.metre import Metre
from consort_music.midi.notes import pair_notes
from consort_music.notation.performance_to_score.bars import metre_choice_weights
from consort_music.notation.performance_to_score.bars.metre_choice import MetreHypothesis, metre_hypotheses
from consort_music.notation.performance_to_score.beats.salience import salience
from consort_music.notation.performance_to_score.beats.steady_beats import TICKS, follow_pulse
from consort_music.notation.performance_to_score.notes.ornaments import find_ornaments
from consort_music.notation.performance_to_score.notes.played_notes import moments_of, played_notes
from evaluation.corpora.music21_tunes import CorpusTune, all_tunes

_SEED = 77
_OTHERS = 110
_MOST_NOTES = 700
_SCALES = [Fraction(*pair) for pair in ((1, 1), (2, 1), (1, 2), (3, 2), (3, 4), (3, 1), (2, 3), (1, 3), (4, 3), (1, 4))]
_LEAST_SHARE = 0.6
_FOLDS = 5
_RIDGE = 0.05
_STEPS = 300


class Choice(NamedTuple):
    folder: str
    rows: NDArray[np.float64]
    is_right: NDArray[np.bool_]
    is_right_metre: NDArray[np.bool_]


def main() -> None:
    choices = [choice for played in performances() if (choice := choice_of(played)) is not None]
    counts = Counter(choice.folder for choice in choices)
    shares = [1 / counts[choice.folder] ** 0.5 for choice in choices]
    rng = random.Random(_SEED)
    folds = [rng.randrange(_FOLDS) for _ in choices]
    right = metre = total = 0.0
    for fold in range(_FOLDS):
        inner = [place for place, own in enumerate(folds) if own != fold]
        weights = fit([choices[place] for place in inner], [shares[place] for place in inner])
        for place, own in enumerate(folds):
            if own == fold:
                best = int(np.argmax(choices[place].rows @ weights))
                right += shares[place] * choices[place].is_right[best]
                metre += shares[place] * choices[place].is_right_metre[best]
                total += shares[place]
    print(f"{len(choices)} pieces; right bars {right / total:.3f}, right metre {metre / total:.3f} (cross-validated)")
    _write(fit(choices, shares))


def performances() -> list[CorpusPerformance]:
    """Return the performances of the tune part, and of scores that are in no part of the bench."""
    rng = random.Random(_SEED)
    listed = set(corpus_scores.LIST.read_text().splitlines())
    folders: dict[str, list[CorpusTune]] = {}
    for tune in all_tunes():
        folders.setdefault(tune.path.split("/")[0], []).append(tune)
    for tunes in folders.values():
        rng.shuffle(tunes)
    names: list[str] = []
    while len(names) < _OTHERS and any(folders.values()):
        for _, tunes in sorted(folders.items()):
            while tunes:
                tune = tunes.pop()
                if tune.name not in listed and corpus_scores.is_usable(tune):
                    names.append(tune.name)
                    break
    played = [corpus_scores.performance(name) for name in (*corpus_scores.names("tune"), *names[:_OTHERS])]
    return [performance for performance in played if len(performance.truth) <= _MOST_NOTES]


def choice_of(played: CorpusPerformance) -> Choice | None:
    """Return the hypotheses of a performance, and which are right; None if none is."""
    paired = [note for index, track in enumerate(played.file.tracks) for note in pair_notes(track, index).notes]
    notes = played_notes(played.file, paired, [note.track for note in paired])
    moments = find_ornaments(notes, moments_of(notes)).moments
    pulse = follow_pulse(
        [moment.time for moment in moments], [len(moment.notes) for moment in moments], salience(notes, moments)
    )
    if pulse is None:
        return None
    truth = true_notes(played)
    starts = [next((true[0] for index in moment.notes if (true := truth[index])), None) for moment in moments]
    best = (0.0, Fraction(1), Fraction(0))
    for scale in _SCALES:
        shifts = Counter(
            start - Fraction(place, TICKS) * scale
            for place, start in zip(pulse.places, starts, strict=True)
            if place is not None and start is not None
        )
        shift, count = shifts.most_common(1)[0]
        best = max(best, (count / len(moments), scale, shift))
    if best[0] < _LEAST_SHARE:
        return None
    hypotheses = metre_hypotheses(notes, moments, pulse.places, pulse.period)
    metres = [_has_metre(hypothesis, best[1], played.score.metre) for hypothesis, _ in hypotheses]
    right = [
        has and _begins_bars(hypothesis, best[1], best[2], played)
        for has, (hypothesis, _) in zip(metres, hypotheses, strict=True)
    ]
    written = [
        is_right and _has_written_beat(hypothesis, best[1], played.score.metre)
        for is_right, (hypothesis, _) in zip(right, hypotheses, strict=True)
    ]
    if any(written):
        right = written
    if not any(right):
        return None
    rows = np.array([features for _, features in hypotheses])
    return Choice(played.name.split("/")[0], rows, np.array(right), np.array(metres))


def _has_metre(hypothesis: MetreHypothesis, scale: Fraction, metre: Metre) -> bool:
    beats = hypothesis.beats_per_bar
    written = Metre(beats, 4) if hypothesis.division == 2 else Metre(3 * beats, 8)
    unit = Fraction(1) if hypothesis.division == 2 else Fraction(3, 2)
    ratio = Fraction(hypothesis.beat, TICKS) * scale / unit
    return metre_class(written) == metre_class(metre) and ratio in (1, 2, Fraction(1, 2))


def _has_written_beat(hypothesis: MetreHypothesis, scale: Fraction, metre: Metre) -> bool:
    """Return whether the beat is that of the true metre: of readings in other values, the written one is right."""
    true = Fraction(4 if hypothesis.division == 2 else 12, metre.denominator)
    return Fraction(hypothesis.beat, TICKS) * scale == true


def _begins_bars(hypothesis: MetreHypothesis, scale: Fraction, shift: Fraction, played: CorpusPerformance) -> bool:
    start = Fraction(hypothesis.downbeat, TICKS) * scale + shift
    bar = Fraction(hypothesis.beat * hypothesis.beats_per_bar, TICKS) * scale
    true = played.score.bars[1].start if len(played.score.bars) > 1 else Fraction(0)
    return (start - true) % min(bar, played.score.metre.bar) == 0


def fit(choices: Sequence[Choice], shares: Sequence[float]) -> NDArray[np.float64]:
    """Return the weights that make the right hypotheses most probable (Adam)."""
    sizes = np.array([len(choice.rows) for choice in choices])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    rows = np.concatenate([choice.rows for choice in choices])
    right = np.concatenate([choice.is_right for choice in choices])
    share = np.repeat(np.array(shares) / sum(shares), sizes)
    owner = np.repeat(np.arange(len(choices)), sizes)
    spread = rows.std(0) + 1e-6
    rows = rows / spread
    found, mean, square = (np.zeros(rows.shape[1]) for _ in range(3))
    for step in range(1, _STEPS + 1):
        scores = rows @ found
        odds = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        chance = odds / np.add.reduceat(odds, starts)[owner]
        good = np.where(right, odds, 0.0)
        target = good / (np.add.reduceat(good, starts)[owner] + 1e-300)
        slope = ((chance - target) * share) @ rows + _RIDGE * found / len(found)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope * slope
        rate = 0.1 if step < 0.7 * _STEPS else 0.02
        found -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-6)
    return np.asarray(found / spread)


def _write(weights: NDArray[np.float64]) -> None:
    lines = [", ".join(f"{value:.3g}" for value in weights[begin : begin + 10]) for begin in range(0, len(weights), 10)]
    text = (
        '"""The weights of `metre_choice`, fitted by `benchmarks/training/train_metre_choice.py`."""\n\nWEIGHTS = (\n'
    )
    Path(metre_choice_weights.__file__).write_text(text + "".join(f"    {line},\n" for line in lines) + ")\n")


if __name__ == "__main__":
    main()
