"""Measuring audio for pictures: the right frequency at the right time, for audio of any length."""

import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from consort_audio.pictures.measuring.columns import Columns
from consort_audio.pictures.measuring.measure import Measured, measure
from consort_audio.pictures.measuring.spectrogram import Spectrogram, linear_frequencies, log_frequencies
from tests.support.audio_files import Signal, sine

LOWEST, HIGHEST, PER_SEMITONE = 21, 108, 4
ROWS = (HIGHEST - LOWEST + 1) * PER_SEMITONE
EDGES = log_frequencies(ROWS, LOWEST - 0.5, HIGHEST + 0.5)
RATE = 44_100


def measure_all(
    signal: Signal, rate: int = RATE, count: int = 200, *, is_log: bool = True, block: int = 65_536
) -> Measured:
    columns = Columns(0, len(signal), count, rate)
    edges = EDGES if is_log else linear_frequencies(ROWS, rate / 2)
    spectrogram = Spectrogram(columns, edges, signal.shape[1], is_log=is_log)
    blocks = (signal[at : at + block] for at in range(0, len(signal), block))
    return measure(blocks, 0, columns, signal.shape[1], spectrogram)


def power_of(measured: Measured) -> NDArray[np.float32]:
    assert measured.power is not None
    return measured.power


def pitch_of_row(row: int) -> float:
    return HIGHEST + 0.5 - (row + 0.5) / PER_SEMITONE


@pytest.mark.parametrize("rate", [8_000, 44_100, 192_000])
@pytest.mark.parametrize("pitch", [21, 33, 45, 57, 69, 81, 93])
def test_a_tone_is_brightest_at_its_note_and_has_its_level(pitch: int, rate: int) -> None:
    tone = sine(440 * 2 ** ((pitch - 69) / 12), 1.0, rate, level_db=-12)
    power = power_of(measure_all(tone, rate))[:, 100]
    assert pitch_of_row(int(power.argmax())) == pytest.approx(pitch, abs=0.25)
    assert 10 * np.log10(power.max()) == pytest.approx(-12, abs=1)


@pytest.mark.parametrize(("pitch", "interval", "dip"), [(48, 1, 0.85), (48, 2, 0.1), (84, 1, 0.85), (84, 2, 0.1)])
def test_neighbouring_notes_are_separate(pitch: int, interval: int, dip: float) -> None:
    low, high = (sine(440 * 2 ** ((each - 69) / 12), 2.0) for each in (pitch, pitch + interval))
    power = power_of(measure_all(low + high)).mean(axis=1)  # they beat, so one moment says nothing
    places = (pitch, pitch + interval / 2, pitch + interval)
    lower, between, upper = (power[round((HIGHEST + 0.5 - each) * PER_SEMITONE)] for each in places)
    assert between < dip * min(lower, upper)


def test_a_linear_spectrogram_has_rows_of_equal_frequencies() -> None:
    power = power_of(measure_all(sine(5_000, 1.0), is_log=False))[:, 100]
    hertz = RATE / 2 * (1 - (power.argmax() + 0.5) / ROWS)
    assert hertz == pytest.approx(5_000, abs=RATE / 2 / ROWS)


def test_nothing_above_half_the_sample_rate_is_shown() -> None:
    power = power_of(measure_all(np.random.default_rng(1).normal(0, 0.2, (4_000, 1)).astype(np.float32), 4_000))
    above = EDGES[:-1] > 2_000
    assert not power[above].any() and power[~above].all()


@pytest.mark.parametrize("seconds", [2.0, 40.0])
def test_a_click_is_at_its_time(seconds: float) -> None:
    signal = np.zeros((round(seconds * RATE), 1), dtype=np.float32)
    signal[round(seconds * RATE / 4)] = 0.9
    measured = measure_all(signal, count=400)
    assert int(measured.envelope.high[0].argmax()) == 100
    high_notes = power_of(measured)[: ROWS // 4].sum(axis=0)
    assert int(high_notes.argmax()) == pytest.approx(100, abs=1)
    assert high_notes[:90].max() < 0.01 * high_notes.max()


def test_opposite_channels_do_not_cancel() -> None:
    tone = sine(440, 0.5)
    power = power_of(measure_all(np.concatenate([tone, -tone], axis=1)))[:, 100]
    assert pitch_of_row(int(power.argmax())) == pytest.approx(69, abs=0.25)


def test_blocks_of_any_size_give_the_same_result() -> None:
    noise = np.random.default_rng(2).normal(0, 0.1, (700_000, 2)).astype(np.float32)
    whole = measure_all(noise, block=len(noise))
    for block in (65_536, 300_001):
        parts = measure_all(noise, block=block)
        assert np.allclose(power_of(parts), power_of(whole), rtol=1e-3, atol=1e-12)
        assert np.array_equal(parts.envelope.low, whole.envelope.low)
        assert np.allclose(parts.envelope.rms, whole.envelope.rms)


def test_a_part_has_the_same_sound_before_and_after_it_as_the_whole() -> None:
    tone = sine(110, 3.0)
    columns = Columns(RATE, 2 * RATE, 100, RATE)
    spectrogram = Spectrogram(columns, EDGES, 1, is_log=True)
    first = RATE - spectrogram.reach
    assert first > 0
    part = measure([tone[first:]], first, columns, 1, spectrogram)
    loudest = power_of(part).max(axis=0)
    assert loudest.min() > 0.95 * loudest.max(), "the edges of the part look like the start of a note"


@pytest.mark.parametrize("frames", [1, 10, 199, 200, 201])
def test_audio_shorter_than_the_picture(frames: int) -> None:
    measured = measure_all(sine(5_000, frames / RATE))
    assert np.isfinite(power_of(measured)).all()
    assert measured.envelope.samples is not None and measured.envelope.samples.shape == (1, frames)


def test_memory_does_not_grow_with_the_length() -> None:
    def tone_for(seconds: int, rate: int) -> Iterator[Signal]:
        part = sine(440, 20.0, rate, channels=2)
        for _ in range(seconds // 20):
            yield part

    peaks = []
    for seconds in (60, 3_600):
        columns = Columns(0, seconds * 4_000, 300, 4_000)
        tracemalloc.start()
        measured = measure(tone_for(seconds, 4_000), 0, columns, 2, Spectrogram(columns, EDGES, 2, is_log=True))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert pitch_of_row(int(power_of(measured)[:, 150].argmax())) == pytest.approx(69, abs=0.25)
    assert peaks[1] < 3 * peaks[0] and peaks[1] < 40e6
