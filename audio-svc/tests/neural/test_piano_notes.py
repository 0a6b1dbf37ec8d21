"""The piano model: its decoder against a search of all possibilities, and a rendered scale with its velocities."""

import itertools
import math
from pathlib import Path

import mido
import numpy as np
import pytest
from numpy.typing import NDArray

from consort_audio.neural.arrays import NetworkArray
from consort_audio.neural.piano.attributes import interval_attributes
from consort_audio.neural.piano.intervals import best_intervals
from consort_audio.neural.piano.joining import EventJoiner, PianoEvent
from consort_audio.neural.piano_notes import transcribe_piano, transcribe_piano_file
from tests.support.listening_models import require_models
from tests.support.midi_files import midi_bytes
from tests.support.rendering import SCALE, Rendering

FRAMES = 6


def total(path: tuple[tuple[int, int], ...], score: NetworkArray, single: NetworkArray) -> float:
    return float(sum(single[b] if b == e else score[b, e] for b, e in path))


def best_by_search(score: NetworkArray, single: NetworkArray) -> float:
    """Return the best sum of scores of all sets of intervals that overlap in their end frames at most.

    Intervals of one frame may lie anywhere but inside a longer one.
    """
    longer = [(b, e) for b in range(FRAMES) for e in range(b + 1, FRAMES)]
    best = 0.0
    for count in range(FRAMES):
        for chosen in itertools.combinations(longer, count):
            if all(first[1] <= second[0] for first, second in itertools.pairwise(chosen)):
                inside = {frame for begin, end in chosen for frame in range(begin + 1, end)}
                short = sum(max(0.0, float(single[frame])) for frame in range(FRAMES) if frame not in inside)
                best = max(best, total(chosen, score, single) + short)
    return best


def test_the_decoder_finds_the_best_intervals() -> None:
    draw = np.random.default_rng(4)
    score = (2 * draw.normal(size=(40, FRAMES, FRAMES))).astype(np.float32)
    single = draw.normal(size=(40, FRAMES)).astype(np.float32)
    found = best_intervals(score, single, np.zeros(40, np.int64))
    for target, path in enumerate(found):
        longer = [interval for interval in path if interval[0] < interval[1]]
        assert all(first[1] <= second[0] for first, second in itertools.pairwise(longer))
        reached = total(tuple(path), score[target], single[target])
        assert reached == pytest.approx(best_by_search(score[target], single[target]), abs=1e-4)


def test_no_interval_begins_before_the_start_frame() -> None:
    score = np.ones((1, FRAMES, FRAMES), np.float32)
    (path,) = best_intervals(score, -np.ones((1, FRAMES), np.float32), np.array([3]))
    assert path == [(3, 4), (4, 5)]


def test_attributes() -> None:
    weights = {
        "velocity_0": np.eye(4, dtype=np.float32),
        "velocity_0_bias": np.zeros(4, np.float32),
        "velocity_1": np.eye(4, dtype=np.float32),
        "velocity_1_bias": np.zeros(4, np.float32),
    }
    weights |= {name.replace("velocity", "refinement"): array for name, array in weights.items()}
    x = np.array([[-1.0, 0.0, 2.0, 1.5], [3.0, 1e-4, -5.0, 0.1]], np.float32)
    found = interval_attributes(x, weights)
    gelu = np.vectorize(lambda v: 0.5 * v * (1 + math.erf(v / math.sqrt(2))))(x)
    assert found.velocity.tolist() == gelu.argmax(axis=1).tolist()
    assert found.is_inside.tolist() == (gelu[:, 2:] > 0).tolist()
    grid = np.linspace(0, 1, 200_001)
    for logits, shifts in zip(gelu[:, :2], found.shift, strict=True):
        for logit, shift in zip(logits, shifts, strict=True):
            density = np.exp(logit * (grid - 0.5))  # of the continuous Bernoulli distribution
            mean = (density * grid).sum() / density.sum()
            assert shift == pytest.approx((mean - 0.5) / 0.99, abs=1e-4)


def event(start: float, end: float, *, has_start: bool = True, has_end: bool = True, target: int = 40) -> PianoEvent:
    return PianoEvent(target, start, end, 64, 5.0, has_start, has_end)


def joined(*events: PianoEvent) -> list[tuple[float, float]]:
    joiner = EventJoiner()
    for each in events:
        joiner.add(each)
    return [(each.start, each.end) for each in joiner.events()]


def test_segments_are_joined() -> None:
    assert joined(event(1, 2), event(2, 3)) == [(1, 2), (2, 3)]
    cut = event(12, 14, has_end=False)
    assert joined(cut, event(13, 17, has_start=False)) == [(12, 17)]
    assert joined(event(12, 14, has_end=False), event(12.01, 15)) == [(12.01, 15)]
    assert joined(event(0, 3, has_start=False)) == []
    assert joined(event(12, 14, has_end=False)) == [(12, 14)]
    assert joined(event(12, 14, has_end=False), event(20, 21)) == [(20, 21)]


@pytest.fixture
def _piano() -> None:
    require_models()


@pytest.mark.usefixtures("_piano")
def test_a_rendered_scale(rendering: Rendering, tmp_path: Path) -> None:
    velocities = [40, 100] * 4
    messages: list[mido.Message] = []
    for pitch, velocity in zip(SCALE, velocities, strict=True):
        messages.append(mido.Message("note_on", note=pitch, velocity=velocity, time=0))
        messages.append(mido.Message("note_off", note=pitch, velocity=0, time=480))
    sound = rendering(midi_bytes(messages), sample_rate=44_100)
    path = tmp_path / "scale.wav"
    path.write_bytes(sound.content)
    steps: list[float] = []
    found = transcribe_piano_file(path, steps.append)
    assert found is not None
    assert [note.pitch for note in found.notes] == list(SCALE)
    for index, note in enumerate(found.notes):
        assert note.start == pytest.approx(0.5 * index, abs=0.03)
        assert note.confidence > 0.5
    late = [note.end - 0.5 * (index + 1) for index, note in enumerate(found.notes)]
    assert max(late) < 0.1  # the network ends some notes early, as the original does
    assert sum(abs(each) < 0.1 for each in late) >= 4
    loud = [note.velocity for note in found.notes[1::2] if note.velocity]
    soft = [note.velocity for note in found.notes[::2] if note.velocity]
    assert min(loud) > max(soft) + 15
    assert found.sustain == []
    assert steps == [1.0]


@pytest.mark.usefixtures("_piano")
@pytest.mark.parametrize("samples", [np.zeros(0), np.zeros(44_100), np.zeros((30 * 44_100, 2))])
def test_silence_has_no_notes(samples: NDArray[np.float64]) -> None:
    found = transcribe_piano(samples.astype(np.float32))
    assert found == ([], [], [])
