"""100 scores of music21's corpus, played unsteadily by a program.

`corpus_scores.txt` lists them: `python -m benchmarks.performances.corpus_scores` chooses them again (seed 15): up to
eight of each folder of the corpus, with one metre, one key signature and at least 40 notes. The hash of a name decides
whether it belongs to `tune` or to `test`.

A performance has the first 40 bars. Its tempo is random (70 to 140 quarters a minute, halved for metres in halves,
doubled for those in 16ths) and drifts by up to 5% (a sum of three slow sine waves). Every start and end moves by a
normal jitter of 20 ms. The MIDI file has 480 ticks a quarter at 120 bpm and no metre: its beats are not those of the
music. `file` has no key signatures either; `file_with_keys` has those of the score, as a file exported from it would.
"""

import hashlib
import math
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from consort_music.errors import MusicError
from consort_music.instruments import INSTRUMENTS, known_instrument
from consort_music.midi.model import MidiFile
from consort_music.notation.read_music import read_music
from consort_music.note_sequence.model import NoteSequence, SequenceNote, SequenceTrack
from consort_music.note_sequence.to_midi_file import sequence_to_midi
from consort_music.score import Note, Score
from evaluation.corpora.music21_tunes import CorpusTune, all_tunes

SEED = 15
COUNT = 100
MOST_OF_A_FOLDER = 8
LEAST_NOTES = 40
BARS = 40
JITTER_S = 0.020
DRIFT = 0.05
LIST = Path(__file__).with_suffix(".txt")


class CorpusPerformance(NamedTuple):
    name: str
    file: MidiFile
    file_with_keys: MidiFile
    score: Score
    truth: list[tuple[float, int, Note]]
    """Start in seconds, part and note of each played note, in the order of the file's tracks."""


def names(split: str) -> list[str]:
    return [name for name in LIST.read_text().splitlines() if split_of(name) == split]


def split_of(name: str) -> str:
    return "tune" if hashlib.sha256(name.encode()).digest()[0] % 2 else "test"


def performance(name: str) -> CorpusPerformance:
    return play(name, score_of(name), random.Random(f"{SEED} {name}"))


def play(name: str, score: Score, rng: random.Random, speed: float = 1.0) -> CorpusPerformance:
    """Return a score as it is played, with a tempo, a drift and jitter of chance; `speed` times as fast as usual."""
    clock = _clock(score, rng, speed)
    tracks, truth = [], []
    end = score.bars[min(BARS, len(score.bars)) - 1].end
    for number, part in enumerate(score.parts):
        notes = []
        for note in part.notes:
            if note.start >= end:
                continue
            start = max(0.0, clock(note.start) + rng.gauss(0, JITTER_S))
            stop = max(start + 0.03, clock(note.end) + rng.gauss(0, JITTER_S))
            notes.append(SequenceNote(note.midi, note.velocity, _ticks(start), _ticks(stop) - _ticks(start)))
            truth.append((float(notes[-1].start) / 2, number, note))
        if notes:
            instrument = known_instrument(part.instrument) or INSTRUMENTS[0]
            tracks.append(SequenceTrack(part.name, instrument, notes))
    plain, keyed = (
        NoteSequence(tempos=[(Fraction(0), Fraction(120))], tracks=tracks, key_signatures=keys)
        for keys in ([], [(_ticks(clock(at)) if at else at, key.sharps, key.is_minor) for at, key in score.keys])
    )
    return CorpusPerformance(name, sequence_to_midi(plain, 480), sequence_to_midi(keyed, 480), score, truth)


def _ticks(seconds: float) -> Fraction:
    """Return a time in quarters at 120 bpm, rounded to ticks."""
    return Fraction(round(seconds * 960), 480)


def _clock(score: Score, rng: random.Random, speed: float = 1.0) -> Callable[[Fraction], float]:
    """Return a function from quarters to seconds, with a lead of half a second."""
    scale = {1: 4.0, 2: 2.0, 16: 0.5, 32: 0.25}.get(score.metre.denominator, 1.0)
    quarter = 60 / (rng.uniform(70, 140) * scale * speed)
    waves = [(rng.uniform(0.1, 0.5) / scale, rng.uniform(0, 2 * math.pi)) for _ in range(3)]

    def clock(moment: Fraction) -> float:
        at = float(moment)
        moved = sum((math.sin(speed * at + phase) - math.sin(phase)) / speed for speed, phase in waves) / 3
        return 0.5 + quarter * (at + DRIFT * moved)

    return clock


def clock_of(name: str, score: Score) -> Callable[[Fraction], float]:
    """Return the function from quarters to seconds with which a score is played."""
    return _clock(score, random.Random(f"{SEED} {name}"))


def score_of(name: str) -> Score:
    path, _, number = name.partition("#")
    score, _ = read_music(CorpusTune(path, int(number or 0)).text())
    return score


def choose() -> list[str]:
    """Return the names of the scores, chosen at random from each folder in turn."""
    rng = random.Random(SEED)
    folders: dict[str, list[CorpusTune]] = {}
    for tune in all_tunes():
        folders.setdefault(tune.path.split("/")[0], []).append(tune)
    for tunes in folders.values():
        rng.shuffle(tunes)
    chosen: list[str] = []
    taken = dict.fromkeys(folders, 0)
    while len(chosen) < COUNT and any(folders.values()):
        for folder, tunes in sorted(folders.items()):
            while tunes and taken[folder] < MOST_OF_A_FOLDER and len(chosen) < COUNT:
                tune = tunes.pop()
                if is_usable(tune):
                    chosen.append(tune.name)
                    taken[folder] += 1
                    break
            if taken[folder] >= MOST_OF_A_FOLDER:
                tunes.clear()
    return sorted(chosen)


def is_usable(tune: CorpusTune) -> bool:
    try:
        score, _ = read_music(tune.text())
    except (MusicError, UnicodeDecodeError):
        return False
    metres = {metre for _, metre in score.metres}
    keys = {key.sharps for _, key in score.keys}
    return len(metres) == 1 and len(keys) == 1 and score.note_count >= LEAST_NOTES


if __name__ == "__main__":
    LIST.write_text("\n".join(choose()) + "\n")
