"""Fit the weights of `consort_music.notation.performance_to_score.bars.metre_choice` (a conditional logit model).

    python -m benchmarks.training.train_metre_choice

The scores of `consort bench notation` (part `tune`) and others of music21's corpus, which are in neither part (up to 45
of each folder), are played as the bench plays them; those of small folders three times. Some melodies are also played
with a plain accompaniment, because the corpus has hardly any; and scores in three with several parts are also played
faster, as minuets, scherzos and waltzes are. The pulse of each is followed; the hypotheses are right
that write the true metre (or an equal one) with bars at the true places; of readings in other values, only the one with
the written beat. The weights make right hypotheses most probable. A folder of the corpus counts by the square root of
the number of its scores. The patterns of beats in right hypotheses are counted for `rhythm_likelihood`. The script
prints the share of right choices in a cross-validation, then writes the weights and the table of patterns.
"""

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.performances import corpus_scores
from benchmarks.performances.corpus_scores import CorpusPerformance
from benchmarks.performances.measures import metre_class, true_notes
from consort_music.keys import Key
from consort_music.metre import Metre
from consort_music.midi.notes import pair_notes
from consort_music.notation.performance_to_score.bars import beat_pattern_table, metre_choice_weights
from consort_music.notation.performance_to_score.bars.metre_features import (
    MetreHypothesis,
    likelihood_features,
    metre_hypotheses,
)
from consort_music.notation.performance_to_score.bars.rhythm_likelihood import (
    BARS,
    BeatRhythm,
    RhythmLikelihood,
    RhythmTable,
    column,
)
from consort_music.notation.performance_to_score.beats.salience import salience
from consort_music.notation.performance_to_score.beats.steady_beats import TICKS, follow_pulse
from consort_music.notation.performance_to_score.notes.ornaments import find_ornaments
from consort_music.notation.performance_to_score.notes.played_notes import moments_of, played_notes
from consort_music.score import Note, Part, Score
from evaluation.corpora.music21_tunes import CorpusTune, all_tunes

_SEED = 77
_MOST_OF_A_FOLDER, _MOST_TRIED = 45, 110
_SMALL_FOLDER, _TAKES = 25, 3
_MOST_NOTES = 1100
_ACCOMPANIED = "accompanied"
_MOST_ACCOMPANIED = 120
_FASTEST_WALTZ = 1.7
"""Accompanied melodies in three are played up to so many times as fast as the bench plays them: waltzes are fast."""
_FAST, _FAST_TAKES = (1.3, 2.4), 2
"""How much faster scores in three with several parts are played, and how often."""
_SCALES = [Fraction(part, 12) for part in (12, 24, 6, 18, 9, 36, 8, 4, 16, 3, 48, 72, 96, 32)]
"""How many quarters of the score the pulse may be."""
_LEAST_SHARE = 0.6
_FOLDS = 5
_RIDGE = 0.2
_STEPS = 240
_LISTED = 45
"""So many patterns of beats are in the table for each division."""
_TRUST = 2.0
"""The usual share of a pattern on any beat counts as much as so many hundredths of all music in each place."""
_LEAST_POINT, _LEAST_OTHERS = 0.002, 0.001


class Choice(NamedTuple):
    name: str
    hypotheses: list[MetreHypothesis]
    rows: NDArray[np.float64]
    is_right: NDArray[np.bool_]
    is_right_metre: NDArray[np.bool_]
    places: list[int]

    def with_tables(self, tables: dict[int, RhythmTable]) -> "Choice":
        """Return the choice with the likelihoods that follow from these tables."""
        rhythm = RhythmLikelihood(self.places, tables)
        rows = [likelihood_features(rhythm, hypothesis, len(self.places)) for hypothesis in self.hypotheses]
        return self._replace(rows=np.c_[self.rows[:, : -len(rows[0])], np.array(rows)])


def main() -> None:
    choices = [choice for played in performances() if (choice := choice_of(played)) is not None]
    names = sorted({choice.name for choice in choices})
    scores = Counter(_folder(name) for name in names)
    takes = Counter(choice.name for choice in choices)
    shares = [1 / scores[_folder(choice.name)] ** 0.5 / takes[choice.name] for choice in choices]
    rng = random.Random(_SEED)
    folds = {name: rng.randrange(_FOLDS) for name in names}
    right = metre = total = 0.0
    for fold in range(_FOLDS):
        inner = [place for place, choice in enumerate(choices) if folds[choice.name] != fold]
        inner_shares = [shares[place] for place in inner]
        tables = count_rhythms([choices[place] for place in inner], inner_shares)
        weights = fit([choices[place].with_tables(tables) for place in inner], inner_shares)
        for share, without_tables in zip(shares, choices, strict=True):
            if folds[without_tables.name] == fold:
                choice = without_tables.with_tables(tables)
                best = int(np.argmax(choice.rows @ weights))
                right += share * choice.is_right[best]
                metre += share * choice.is_right_metre[best]
                total += share
    print(f"{len(choices)} takes; right bars {right / total:.3f}, right metre {metre / total:.3f} (cross-validated)")
    tables = count_rhythms(choices, shares)
    _write_tables(tables)
    _write(fit([choice.with_tables(tables) for choice in choices], shares))


def _folder(name: str) -> str:
    return name.split("/")[0]


def performances() -> list[CorpusPerformance]:
    """Return takes of the scores of the tune part, and of scores that are in no part of the bench."""
    rng = random.Random(_SEED)
    listed = set(corpus_scores.LIST.read_text().splitlines())
    folders: dict[str, list[CorpusTune]] = {}
    for tune in all_tunes():
        folders.setdefault(_folder(tune.path), []).append(tune)
    names = corpus_scores.names("tune")
    for _, tunes in sorted(folders.items()):
        rng.shuffle(tunes)
        usable = (
            tune.name for tune in tunes[:_MOST_TRIED] if tune.name not in listed and corpus_scores.is_usable(tune)
        )
        names.extend(islice(usable, _MOST_OF_A_FOLDER))
    sizes = Counter(_folder(name) for name in names)
    found: list[CorpusPerformance] = []
    melodies: list[tuple[str, Score]] = []
    for name in names:
        score = corpus_scores.score_of(name)
        for take in range(_TAKES if sizes[_folder(name)] < _SMALL_FOLDER else 1):
            seed = f"{corpus_scores.SEED} {name}" + f" {take}" * (take > 0)
            found.append(corpus_scores.play(name, score, random.Random(seed)))
        if len(score.parts) > 1 and _is_in_three(score.metre):
            for take in range(_FAST_TAKES):
                chance = random.Random(f"{_SEED} fast {name} {take}")
                found.append(corpus_scores.play(name, score, chance, chance.uniform(*_FAST)))
        if len(score.parts) == 1 and score.keys:
            melodies.append((f"{_ACCOMPANIED}/{name}", score))
    found.extend(with_accompaniment(melodies))
    return [performance for performance in found if len(performance.truth) <= _MOST_NOTES]


def _is_in_three(metre: Metre) -> bool:
    return not metre.is_compound and len(metre.beats) == 3


def with_accompaniment(melodies: Sequence[tuple[str, Score]]) -> list[CorpusPerformance]:
    """Return performances of some of these melodies, given by name and score, with an accompaniment."""
    rng = random.Random(f"{_SEED} {_ACCOMPANIED}")
    chosen = rng.sample(melodies, min(_MOST_ACCOMPANIED, len(melodies)))
    found = []
    for name, score in chosen:
        speed = rng.uniform(1, _FASTEST_WALTZ) if _is_in_three(score.metre) else 1.0
        found.append(corpus_scores.play(name, accompanied(score, rng), rng, speed))
    return found


def accompanied(score: Score, rng: random.Random) -> Score:
    """Return a melody with a bass and chords in one of the usual patterns of its metre."""
    key, metre = score.keys[0][1], score.metre
    part = metre.bar / len(metre.beats) / (3 if metre.is_compound else 2)
    pattern = rng.choice(("bass and chords", "chords", "broken chords"))
    notes: list[Note] = []
    for bar in score.bars:
        if bar.missing:
            continue
        inside = [note for note in score.parts[0].notes if bar.start <= note.start < bar.end]
        root = max((0, 7, 5), key=lambda step: _shared(inside, _chord(key.tonic + step, key)))
        chord = _chord(key.tonic + root, key)
        for number, beat in enumerate(metre.beats):
            start = bar.start + beat
            is_bass = number == 0 or (len(metre.beats) == 4 and number == 2) or metre.is_compound
            if pattern == "broken chords":
                for step in range(3 if metre.is_compound else 2):
                    pitch = chord[0] - 12 if step == 0 and is_bass else chord[1 + (step + number) % 2]
                    notes.append(Note(start + step * part, part, key.spell(pitch)))
            elif pattern == "chords":
                if number % 2 == 0:
                    notes.extend(Note(start, 2 * part, key.spell(pitch)) for pitch in chord)
            else:
                if is_bass:
                    notes.append(Note(start, 2 * part, key.spell(chord[0] - 12)))
                if metre.is_compound or not is_bass:
                    after = 2 * part if metre.is_compound else 0
                    length = part if metre.is_compound else 2 * part
                    notes.extend(Note(start + after, length, key.spell(pitch)) for pitch in chord[1:])
    return replace(score, parts=(*score.parts, Part.of("accompaniment", notes)))


def _chord(root: int, key: Key) -> tuple[int, int, int]:
    """Return a triad of the key, around the octave below middle C."""
    low = 48 + root % 12
    third = 3 if (root + 3) % 12 in key.pitch_classes else 4
    return low, low + third, low + 7


def _shared(notes: Sequence[Note], chord: Sequence[int]) -> Fraction:
    classes = {pitch % 12 for pitch in chord}
    return sum((note.duration for note in notes if note.midi % 12 in classes), Fraction(0))


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
    kinds = [hypothesis for hypothesis, _ in hypotheses]
    places = sorted({place for place in pulse.places if place is not None})
    return Choice(played.name, kinds, rows, np.array(right), np.array(metres), places)


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


def count_rhythms(choices: Sequence[Choice], shares: Sequence[float]) -> dict[int, RhythmTable]:
    """Return the patterns of beats in the right hypotheses; pieces count by their shares."""
    columns = sum(BARS)
    counts: dict[int, dict[BeatRhythm, NDArray[np.float64]]] = {2: {}, 3: {}}
    for choice, share in zip(choices, shares, strict=True):
        rhythm = RhythmLikelihood(choice.places, {})
        right = [choice.hypotheses[place] for place in np.flatnonzero(choice.is_right)]
        for beat, division, beats_per_bar, downbeat in right:
            found = rhythm.counts(beat, beats_per_bar, downbeat)
            for (number, pattern), count in found.items():
                cells = counts[division].setdefault(pattern, np.zeros(columns))
                cells[column(beats_per_bar, number)] += share * count / found.total() / len(right)
    return {division: _rhythm_table(own) for division, own in counts.items()}


def _rhythm_table(counts: dict[BeatRhythm, NDArray[np.float64]]) -> RhythmTable:
    totals = np.sum(list(counts.values()), 0)
    everything = totals.sum()
    listed = sorted(counts, key=lambda pattern: counts[pattern].sum(), reverse=True)[:_LISTED]
    points: Counter[int] = Counter()
    for pattern, cells in counts.items():
        for point in pattern:
            points[point] += cells.sum() / everything
    trust = _TRUST / 100 * everything / len(totals)
    shares = {
        pattern: [round(float(share), 2) for share in np.log(
            (counts[pattern] + trust * counts[pattern].sum() / everything) / (totals + trust)
        )]
        for pattern in listed
    }  # fmt: skip
    others = max(1 - sum(counts[pattern].sum() for pattern in listed) / everything, _LEAST_OTHERS)
    usual = {point: round(float(share), 4) for point, share in sorted(points.items()) if share > _LEAST_POINT}
    return RhythmTable(shares, usual, round(math.log(others), 2))


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


def _write_tables(tables: dict[int, RhythmTable]) -> None:
    said = "The patterns of beats by their place in the bar, counted by `benchmarks/training/train_metre_choice.py`."
    module = "consort_music.notation.performance_to_score.bars.rhythm_likelihood"
    lines = [f'"""{said}"""', "", f"from {module} import RhythmTable", "", "RHYTHM_TABLES = {"]
    for division, table in tables.items():
        lines += [f"    {division}: RhythmTable(", "        {"]
        lines += [f"            {pattern}: {tuple(shares)}," for pattern, shares in table.shares.items()]
        lines += ["        },", f"        {table.points},", f"        {table.others},", "    ),"]
    Path(beat_pattern_table.__file__).write_text("\n".join([*lines, "}", ""]))


if __name__ == "__main__":
    main()
