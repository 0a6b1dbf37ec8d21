"""Train the network that finds onsets, and write `onset_network.json` beside `consort_audio/analysis/rhythm/onsets.py`.

    python -m benchmarks.training.train_onset_network [--check]

It learns from the tune part of the truth set: tunes on sustained and plucked instruments, piano pieces and bands; and
from noise and held tones, in which nothing begins. Each true onset is assigned to the highest and nearest peak
within -40 to +100 ms, which should be recognised and whose latency is learned (Adam, logistic and Huber loss). With
--check, two thirds of the sounds are used to learn and the F-measure of the others is printed; nothing is written.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.rhythm import onsets
from consort_audio.analysis.rhythm.onset_features import OnsetCandidates, onset_candidates
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.recording import RATE, recording_from_samples
from evaluation.sounds import SoundItem

SOUNDS = {"melody": 120, "plucked": 48, "piano": 36, "tempo": 60}
WEIGHTS = {"melody": 1.0, "plucked": 1.0, "piano": 0.5, "tempo": 0.5, "nothing": 1.0}
HIDDEN = 24
STEPS, BATCH, RATE_OF_LEARNING, DECAY = 2500, 2048, 0.01, 1e-4
SEED = 14
FIRST_S, LAST_S = -0.04, 0.1
"""The peak of an onset is so long after it."""


class LabelledSound(NamedTuple):
    task: str
    onsets: Numbers
    candidates: OnsetCandidates


def sounds() -> Iterator[LabelledSound]:
    for task, count in SOUNDS.items():
        for number in range(count):
            samples, truth = SoundItem(task, "tune", number).load()
            found = onset_candidates(recording_from_samples(samples, RATE))
            yield LabelledSound(task, np.unique(truth.onsets), found)
    for samples, starts in nothing_begins():
        yield LabelledSound("nothing", starts, onset_candidates(recording_from_samples(samples, RATE)))


def nothing_begins() -> Iterator[tuple[NDArray[np.float32], Numbers]]:
    """Yield noise of several colours and held tones with tremolo, and where they begin."""
    numbers = np.random.default_rng(SEED)
    count = 8 * RATE
    time = np.arange(count) / RATE
    for colour in (0.0, 0.5, 1.0):
        for level in (0.003, 0.1):
            spectrum = np.fft.rfft(numbers.standard_normal(count))
            spectrum[1:] /= np.arange(1, len(spectrum)) ** colour
            noise = np.fft.irfft(spectrum, count)
            yield (level * noise / noise.std()).astype(np.float32), np.zeros(0)
    for pitch in (110.0, 277.0, 660.0):
        tone = sum(np.sin(2 * np.pi * pitch * part * time) / part for part in range(1, 8))
        tremolo = 1 + 0.3 * np.sin(2 * np.pi * 5 * time)
        begin = np.clip((time - 1) / 0.05, 0, 1)
        noisy = 0.1 * tone * tremolo * begin + 0.001 * numbers.standard_normal(count)
        yield noisy.astype(np.float32), np.array([1.0])


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
    weight = np.concatenate([np.full(len(each.candidates.times), WEIGHTS[each.task]) for each in examples])
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
    for fold in range(3):
        network = train([each for index, each in enumerate(examples) if index % 3 != fold])
        for sound in examples[fold::3]:
            if len(sound.onsets) > 1:
                score = mir_eval.onset.f_measure(sound.onsets, heard(network, sound)[0])[0]
                scores.setdefault(sound.task, []).append(score)
    for task, found in scores.items():
        print(f"{task}: F {np.mean(found):.3f} ({len(found)} sounds)")


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
