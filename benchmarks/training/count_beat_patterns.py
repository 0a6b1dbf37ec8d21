"""Count where notes start within beats, for `performance_to_score.notes.beat_patterns`.

    python -m benchmarks.training.count_beat_patterns DATA_FOLDER

A pattern is the places at which notes of any part start within one beat. They are counted in up to 14 scores of each
folder of music21's corpus, and in the scores of DATA_FOLDER/asap, all from the `tune` part. Pieces count alike, real
piano music three times as much as others.
"""

import random
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from benchmarks.performances import corpus_scores, real_performances
from consort_music.errors import MusicError
from consort_music.notation.performance_to_score.notes import beat_patterns
from consort_music.notation.read_music import read_music
from consort_music.score import Score
from evaluation.corpora.music21_tunes import CorpusTune, all_tunes

MOST_OF_A_FOLDER = 14
REAL_WEIGHT = 3.0
LEAST_SHARE = 3e-5
PARTS = (1, 2, 3, 4, 5, 6, 7, 8, 12, 16)
BeatPlaces = tuple[Fraction, ...]


def main(data: Path) -> None:
    shares: dict[BeatPlaces, float] = {}
    for weight, beats in _pieces(data):
        counts = Counter(tuple(sorted(beat)) for beat in beats)
        for pattern, count in counts.items():
            shares[pattern] = shares.get(pattern, 0.0) + weight * count / counts.total()
    total = sum(shares.values())
    usable = {pattern: share / total for pattern, share in shares.items() if _is_usable(pattern)}
    ordered = sorted((item for item in usable.items() if item[1] >= LEAST_SHARE), key=lambda item: -item[1])
    rows = "".join(f'    "{" ".join(map(str, pattern))}": {share:.2g},\n' for pattern, share in ordered)
    said = "The shares of beats with each pattern, counted by `benchmarks/training/count_beat_patterns.py`."
    Path(beat_patterns.__file__).write_text(f'"""{said}"""\n\nPATTERNS = {{\n{rows}}}\n')


def _is_usable(pattern: BeatPlaces) -> bool:
    return all(point.denominator in PARTS for point in pattern)


def _pieces(data: Path) -> Iterator[tuple[float, list[set[Fraction]]]]:
    rng = random.Random(3)
    folders: dict[str, list[CorpusTune]] = {}
    for tune in all_tunes():
        folders.setdefault(tune.path.split("/")[0], []).append(tune)
    for _, tunes in sorted(folders.items()):
        rng.shuffle(tunes)
        found = 0
        for tune in tunes:
            if found < MOST_OF_A_FOLDER and corpus_scores.split_of(tune.name) == "tune":
                beats = _beats_of_tune(tune)
                found += bool(beats)
                if beats:
                    yield 1.0, beats
    for name in real_performances.names(data, "tune"):
        real = real_performances.load(data, name)
        if real.beat_quarters is not None:
            starts = {place.start for place in real.truth.values()}
            yield REAL_WEIGHT, _beats_between(sorted(starts), real.beat_quarters)


def _beats_of_tune(tune: CorpusTune) -> list[set[Fraction]]:
    try:
        score, _ = read_music(tune.text())
    except (MusicError, UnicodeDecodeError):
        return []
    if score.note_count < corpus_scores.LEAST_NOTES:
        return []
    return _beats_between(sorted({note.start for part in score.parts for note in part.notes}), _beats_of(score))


def _beats_of(score: Score) -> list[Fraction]:
    beats = [
        bar.start + beat - bar.missing
        for bar in score.bars
        for beat in bar.metre.beats
        if beat >= bar.missing
    ]  # fmt: skip
    return [*beats, score.bars[-1].end]


def _beats_between(starts: list[Fraction], beats: list[Fraction]) -> list[set[Fraction]]:
    found: dict[int, set[Fraction]] = {}
    for start in starts:
        beat = bisect_right(beats, start) - 1
        if 0 <= beat < len(beats) - 1:
            found.setdefault(beat, set()).add((start - beats[beat]) / (beats[beat + 1] - beats[beat]))
    return list(found.values())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
