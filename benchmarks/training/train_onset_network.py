"""Train the network that finds onsets, and write `onset_network.json` beside `consort_audio/analysis/rhythm/onsets.py`.

    python -m benchmarks.training.train_onset_network [--check]

It learns from the tune part of the truth set: tunes on sustained and plucked instruments, piano pieces and bands; from
the same tunes on `OTHER_SUSTAINED` and `OTHER_PLUCKED`, so that it hears instruments that it has not met; from tones
that rise slowly or fast, some of which glide; and from noise and held tones, in which nothing begins. Each true onset
is assigned to the highest and nearest peak within -40 to +100 ms, which should be recognised and whose latency is
learned (Adam, logistic and Huber loss).

With --check, each fifth of the pieces is left out in turn, and nothing is written. Printed are the F-measures of the
pieces that were left out, and a table for `onsets.CONFIDENCE_MAP` from the onsets in tunes.
"""

import argparse
import json
import random
import zlib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.training.confidence_tables import confidence_table
from consort_audio.analysis.rhythm import onsets
from consort_audio.analysis.rhythm.onset_features import OnsetCandidates, onset_candidates
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.recording import RATE, Mono, recording_from_samples
from evaluation.sounds import SoundItem
from evaluation.sounds.conditions import SoundInstrument
from evaluation.sounds.items import render
from evaluation.sounds.melodies import tune

SOUNDS = {"melody": 180, "plucked": 110, "piano": 36, "tempo": 60}
OTHER_SUSTAINED = {
    "bassoon": SoundInstrument(70, 40, 70),
    "viola": SoundInstrument(41, 50, 84),
    "english horn": SoundInstrument(69, 54, 80),
    "soprano sax": SoundInstrument(64, 56, 84),
    "tenor sax": SoundInstrument(66, 46, 75),
    "accordion": SoundInstrument(21, 50, 86),
    "trombone": SoundInstrument(57, 42, 70),
    "strings": SoundInstrument(48, 45, 88),
    "pan flute": SoundInstrument(75, 62, 90),
    "shakuhachi": SoundInstrument(77, 60, 86),
    "voice": SoundInstrument(53, 50, 79),
}
OTHER_PLUCKED = {
    "vibraphone": SoundInstrument(11, 53, 86),
    "koto": SoundInstrument(107, 50, 84),
    "jazz guitar": SoundInstrument(26, 45, 81),
    "dulcimer": SoundInstrument(15, 50, 84),
    "electric piano": SoundInstrument(4, 45, 90),
    "sitar": SoundInstrument(104, 48, 78),
    "celesta": SoundInstrument(8, 60, 96),
}
OTHERS = {"other sustained": (OTHER_SUSTAINED, 90), "other plucked": (OTHER_PLUCKED, 50)}
"""The instruments, and how many sounds."""
VIBRATO_SHARE = 0.3
TONES, ATTACKS_S, GLIDE = 48, (0.003, 0.12), 3.0
"""How many sounds of tones, how long tones take to rise, and by how many semitones they glide (standard deviation)."""
WEIGHTS = {"piano": 0.5, "tempo": 0.5}
"""Others have 1."""
HIDDEN = 40
STEPS, BATCH, RATE_OF_LEARNING, DECAY = 4000, 2048, 0.01, 1e-4
SEED = 14
FOLDS = 5
BINS = (0.0, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.94, 0.97, 0.99, 1.0001)
FIRST_S, LAST_S = -0.04, 0.1
"""The peak of an onset is so long after it."""
TOLERANCE_S = 0.05
"""Onsets that are so near are right."""


class LabelledSound(NamedTuple):
    task: str
    piece: str
    onsets: Numbers
    candidates: OnsetCandidates

    @property
    def fold(self) -> int | None:
        """Return when the sound is left out; None if it is always learned."""
        return zlib.crc32(self.piece.encode()) % FOLDS if self.piece else None


def sounds() -> Iterator[LabelledSound]:
    for task, piece, samples, starts in chain(_from_truth_set(), _on_other_instruments(), _tones(), _nothing_begins()):
        yield LabelledSound(task, piece, starts, onset_candidates(recording_from_samples(samples, RATE)))


def _from_truth_set() -> Iterator[tuple[str, str, Mono, Numbers]]:
    for task, count in SOUNDS.items():
        for number in range(count):
            samples, truth = SoundItem(task, "tune", number).load()
            yield task, truth.labels["piece"], samples, np.unique(truth.onsets)


def _on_other_instruments() -> Iterator[tuple[str, str, Mono, Numbers]]:
    for task, (instruments, count) in OTHERS.items():
        for number in range(count):
            rng = random.Random(f"fresh {task} {number}")
            has_vibrato = instruments is OTHER_SUSTAINED and rng.random() < VIBRATO_SHARE
            plan = tune(rng, "tune", instruments, has_vibrato=has_vibrato)
            yield task, plan.truth.labels["piece"], render(plan, f"{task} {number}"), np.unique(plan.truth.onsets)


def _tones() -> Iterator[tuple[str, str, Mono, Numbers]]:
    """Yield tones whose sound rises for a known time, and where they begin. Each second sound has gliding tones."""
    numbers = np.random.default_rng(SEED)
    for number in range(TONES):
        attack = 10 ** numbers.uniform(*np.log10(ATTACKS_S))
        apart, decay = numbers.uniform(0.25, 0.9), numbers.uniform(0.3, 6.0)
        held = apart * numbers.uniform(0.5, 1.0)
        starts = np.arange(0.3, 9.0, apart) + numbers.normal(0, 0.01)
        sound = np.zeros(10 * RATE)
        for start in starts:
            time = np.arange(round(held * RATE)) / RATE
            envelope = np.minimum(1, time / attack) * np.exp(-time / decay) * np.clip((held - time) / 0.03, 0, 1)
            pitch, slope = 110 * 2 ** numbers.uniform(0, 3), numbers.uniform(0.7, 2.0)
            glide = numbers.normal(0, GLIDE) * (number % 2)
            phase = 2 * np.pi * pitch * np.cumsum(2 ** (glide / 12 * time / held)) / RATE
            tone = sum(np.sin(part * phase) / part**slope for part in range(1, 9))
            first = round(start * RATE)
            sound[first : first + len(time)] += envelope * tone * numbers.uniform(0.5, 1.0)
        noisy = 0.1 * sound + 10 ** numbers.uniform(-5, -2.5) * numbers.standard_normal(len(sound))
        yield "tones", f"tones {number}", noisy.astype(np.float32), starts


def _nothing_begins() -> Iterator[tuple[str, str, Mono, Numbers]]:
    """Yield noise of several colours and held tones with tremolo, and where they begin."""
    numbers = np.random.default_rng(SEED)
    count = 8 * RATE
    time = np.arange(count) / RATE
    for colour in (0.0, 0.5, 1.0):
        for level in (0.003, 0.1):
            spectrum = np.fft.rfft(numbers.standard_normal(count))
            spectrum[1:] /= np.arange(1, len(spectrum)) ** colour
            noise = np.fft.irfft(spectrum, count)
            yield "nothing", "", (level * noise / noise.std()).astype(np.float32), np.zeros(0)
    for pitch in (110.0, 277.0, 660.0):
        tone = sum(np.sin(2 * np.pi * pitch * part * time) / part for part in range(1, 8))
        tremolo = 1 + 0.3 * np.sin(2 * np.pi * 5 * time)
        begin = np.clip((time - 1) / 0.05, 0, 1)
        noisy = 0.1 * tone * tremolo * begin + 0.001 * numbers.standard_normal(count)
        yield "nothing", "", noisy.astype(np.float32), np.array([1.0])


def labels(sound: LabelledSound) -> tuple[Numbers, Numbers]:
    """Return for each candidate whether it is an onset, and how many seconds the onset is after it."""
    times, heights = sound.candidates.times, np.log(np.maximum(sound.candidates.heights, 0) + 0.005)
    is_onset, shift = np.zeros(len(times)), np.zeros(len(times))
    for onset in sound.onsets:
        late = times - onset
        near = np.flatnonzero((late > FIRST_S) & (late < LAST_S) & (is_onset == 0))
        if len(near):
            best = near[np.argmax(heights[near] - np.abs(late[near] - 0.015) / 0.05)]
            is_onset[best], shift[best] = 1, -late[best]
    return is_onset, shift


def train(examples: list[LabelledSound]) -> onsets.OnsetNetwork:
    numbers = np.random.default_rng(SEED)
    features = np.concatenate([each.candidates.features for each in examples])
    is_onset, shift = (np.concatenate(column) for column in zip(*map(labels, examples), strict=True))
    weight = np.concatenate([np.full(len(each.candidates.times), WEIGHTS.get(each.task, 1.0)) for each in examples])
    mean, deviation = features.mean(axis=0), features.std(axis=0) + 1e-6
    scaled = (features - mean) / deviation
    width = scaled.shape[1]
    parts = [
        numbers.normal(0, width**-0.5, (width, HIDDEN)),
        np.zeros(HIDDEN),
        numbers.normal(0, HIDDEN**-0.5, (HIDDEN, 2)),
        np.zeros(2),
    ]
    first, second = [np.zeros_like(part) for part in parts], [np.zeros_like(part) for part in parts]
    for step in range(1, STEPS + 1):
        batch = numbers.integers(0, len(scaled), BATCH)
        inputs, wanted, latency = scaled[batch], is_onset[batch], shift[batch] / onsets.LATENCY_SCALE
        hidden = np.tanh(inputs @ parts[0] + parts[1])
        output = hidden @ parts[2] + parts[3]
        slope = np.stack(
            [1 / (1 + np.exp(-output[:, 0])) - wanted, wanted * 0.5 * np.clip(output[:, 1] - latency, -1, 1)], axis=1
        )
        slope *= weight[batch, None] / BATCH
        back = slope @ parts[2].T * (1 - hidden**2)
        slopes = [inputs.T @ back + DECAY * parts[0], back.sum(0), hidden.T @ slope + DECAY * parts[2], slope.sum(0)]
        rate = RATE_OF_LEARNING * (1 if step < 0.6 * STEPS else 0.3 if step < 0.85 * STEPS else 0.1)
        for index, each in enumerate(slopes):
            first[index] = 0.9 * first[index] + 0.1 * each
            second[index] = 0.999 * second[index] + 0.001 * each**2
            unbiased = first[index] / (1 - 0.9**step), second[index] / (1 - 0.999**step)
            parts[index] = parts[index] - rate * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)
    return onsets.OnsetNetwork(mean, deviation, *parts)


def heard(network: onsets.OnsetNetwork, sound: LabelledSound) -> tuple[Numbers, Numbers]:
    """Return the times and probabilities of the onsets that a network hears."""
    probabilities, shifts = network(sound.candidates.features)
    times = np.maximum(0, sound.candidates.times + shifts)
    chosen = onsets.choose_onsets(times, probabilities)
    return times[chosen], probabilities[chosen]


def check(examples: list[LabelledSound]) -> None:
    import mir_eval

    scores: dict[str, list[float]] = {}
    judged: list[tuple[float, bool]] = []
    for fold in range(FOLDS):
        network = train([each for each in examples if each.fold != fold])
        for sound in (each for each in examples if each.fold == fold):
            times, probabilities = heard(network, sound)
            pairs = mir_eval.util.match_events(sound.onsets, times, TOLERANCE_S) if len(times) else []
            matched = {b for _, b in pairs}
            scores.setdefault(sound.task, []).append(2 * len(matched) / (len(times) + len(sound.onsets)))
            if sound.task not in ("piano", "tempo", "tones"):
                judged += [(float(chance), place in matched) for place, chance in enumerate(probabilities)]
    for task, found in scores.items():
        print(f"{task}: F {np.mean(found):.3f} ({len(found)} sounds)")
    print("confidence", confidence_table(judged, BINS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    examples = list(sounds())
    if parser.parse_args().check:
        check(examples)
        return
    network = train(examples)
    place = Path(onsets.__file__).with_name("onset_network.json")
    rounded = {name: np.round(values, 4).tolist() for name, values in network._asdict().items()}
    place.write_text(json.dumps(rounded) + "\n")


if __name__ == "__main__":
    main()
