"""Fit how likely notes of chords were played, for compare_to_reference, and print the numbers.

    python -m benchmarks.training.train_chord_takes

The numbers are copied by hand into `take.several_voices.expected_note` and `unexpected_note`. Both are fitted on the
chord takes (`chord_takes`) of the tune part, and tried on every sixth take, which is left out for that.

- expected: notes that were played, at times that are up to 30 ms off as those of an alignment are; against notes of
  other pitches at the same times, and notes that still ring and were not played again
- unexpected: what the transcription hears, as if nobody had expected it, with all other notes of the truth as context
"""

import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from benchmarks.listening import chord_takes
from benchmarks.training.logistic import LogisticModel, fit_logistic
from consort_audio.comparison.take.several_voices.expected_note import expected_note_features
from consort_audio.comparison.take.several_voices.unexpected_note import is_echo, unexpected_note_features
from consort_audio.neural.note_posteriors import NotePosteriors, note_posteriors
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import read_recording
from consort_audio.transcription.polyphonic import decode
from evaluation.sounds import SoundItem, items
from evaluation.sounds.truth import TrueNote

_OFF_S = 0.03
_TOGETHER_S, _APART_S = 0.04, 0.15
_RANGE = (21, 108)
_AWAY = (-12, -7, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 7, 12)
_PER_CHORD = 5
_FOLDS = 6
_LEAST_CHANCE = 0.25
"""The transcription gives more doubtful notes here than to the tools, so that there are more examples."""


class ChordNoteExample(NamedTuple):
    take: int
    was_played: bool
    features: Numbers


def main() -> None:
    takes = [item for task in chord_takes.TASKS for item in items(task, "tune") if chord_takes.is_chord_take(item)]
    expected: list[ChordNoteExample] = []
    unexpected: list[ChordNoteExample] = []
    for number, item in enumerate(takes):
        posteriors = note_posteriors(read_recording(item.path()))
        if posteriors is None:
            raise SystemExit("basic-pitch is not installed: see consort doctor.")
        expected += [ChordNoteExample(number, *each) for each in _expected(item, posteriors)]
        unexpected += [ChordNoteExample(number, *each) for each in _unexpected(item, posteriors)]
    _fit("expected_note", expected, np.array([0.002, 0.001]))
    _fit("unexpected_note", unexpected, np.array([0.99, 0.995]))


def _fit(name: str, examples: list[ChordNoteExample], quantiles: Numbers) -> None:
    """Print the model, and for chances at which few are wrong, how many of the others are right."""
    folds = np.array([each.take % _FOLDS for each in examples])
    features, labels = np.array([each.features for each in examples]), np.array([each.was_played for each in examples])
    chances = np.zeros(len(examples))
    for fold in range(_FOLDS):
        chances[folds == fold] = fit_logistic(features[folds != fold], labels[folds != fold])(features[folds == fold])
    is_expected = name == "expected_note"
    for limit in np.quantile(chances[labels == is_expected], quantiles):
        others = chances[labels != is_expected]
        share = (others < limit).mean() if is_expected else (others > limit).mean()
        print(f"# {name}: chance {limit:.4f}: {share:.3f} of {len(others)} right")
    model: LogisticModel = fit_logistic(features, labels)
    print(f"# {name}\n{model.text()}")


def _expected(item: SoundItem, posteriors: NotePosteriors) -> Iterator[tuple[bool, Numbers]]:
    rng = random.Random(item.name)
    notes = sorted(item.truth().notes)

    def example(pitch: float, start: float, length: float) -> Numbers:
        return expected_note_features(posteriors, round(pitch), start + rng.uniform(-_OFF_S, _OFF_S), length)

    for note in notes:
        yield True, example(note.pitch, note.start, note.end - note.start)
    for chord in _chords(notes):
        time, one = chord[0].start, rng.choice(chord)
        length = one.end - one.start
        sounding = {round(note.pitch) for note in notes if note.start < time + _APART_S and note.end > time - 0.5}
        begun = {round(note.pitch) for note in notes if abs(note.start - time) < _APART_S}
        held = {round(note.pitch) for note in notes if note.start < time - _APART_S and note.end > time + 0.05}
        for away in rng.sample(_AWAY, _PER_CHORD):
            pitch = round(one.pitch) + away
            if pitch not in sounding and _RANGE[0] <= pitch <= _RANGE[1]:
                yield False, example(pitch, time, length)
        for pitch in sorted(held - begun):
            yield False, example(pitch, time, length)


def _chords(notes: list[TrueNote]) -> Iterator[list[TrueNote]]:
    chord = notes[:1]
    for note in notes[1:]:
        if note.start - chord[0].start >= _TOGETHER_S:
            yield chord
            chord = []
        chord.append(note)
    yield chord


def _unexpected(item: SoundItem, posteriors: NotePosteriors) -> Iterator[tuple[bool, Numbers]]:
    true = [PlayedNote(note.start, note.end, float(round(note.pitch)), 1.0) for note in sorted(item.truth().notes)]
    used: set[int] = set()
    for note in decode(posteriors, _LEAST_CHANCE):
        same = [index for index, other in enumerate(true) if index not in used and is_echo(note, [other])]
        match = min(same, key=lambda index: abs(true[index].start - note.start), default=None)
        if match is not None:
            used.add(match)
        others = [other for index, other in enumerate(true) if index != match]
        if not is_echo(note, others):
            yield match is not None, unexpected_note_features(note, others)


if __name__ == "__main__":
    main()
