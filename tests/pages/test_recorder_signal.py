"""The recording page's functions on samples: pitch, delay and WAV, run in Chromium on synthetic sounds."""

import base64
import io
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray
from playwright.sync_api import Page

from consort_audio.pages.frame import static_text
from tests.support.browser import Chromium

RATE = 44_100


@pytest.fixture(scope="module")
def functions(chromium: Chromium) -> Iterator[Page]:
    """Return an empty page on which the functions are defined."""
    with chromium.open_page() as page:
        for name in ("signal", "meter"):
            page.add_script_tag(content=static_text(f"recorder/{name}.js"))
        yield page


def tone(frequency: float, seconds: float = 0.1, harmonics: tuple[float, ...] = (1, 0.6, 0.4, 0.2)) -> list[float]:
    t = np.arange(int(seconds * RATE)) / RATE
    parts = [a * np.sin(2 * np.pi * frequency * (i + 1) * t + i) for i, a in enumerate(harmonics)]
    return [float(sample) for sample in 0.2 * np.sum(parts, axis=0)]


@pytest.mark.parametrize("harmonics", [(1,), (1, 0.6, 0.4, 0.2), (0.1, 1, 0.7, 0.5)], ids=["sine", "reed", "weak root"])
@pytest.mark.parametrize("frequency", [41.2, 82.41, 110.0, 196.4, 440.0, 987.77, 1760.0])
def test_the_tuner_finds_the_pitch_within_three_cents(
    functions: Page, frequency: float, harmonics: tuple[float, ...]
) -> None:
    found = functions.evaluate(
        "([samples, rate]) => detectPitch(Float32Array.from(samples), rate)", [tone(frequency, 0.1, harmonics), RATE]
    )
    assert found is not None and abs(1200 * math.log2(found / frequency)) < 3


def test_the_tuner_shows_no_pitch_for_noise_and_silence(functions: Page) -> None:
    noise = np.random.default_rng(3).standard_normal(RATE // 10) * 0.1
    for samples in (noise, np.zeros(RATE // 10)):
        assert functions.evaluate("(it) => detectPitch(Float32Array.from(it), 44100)", samples.tolist()) is None


@pytest.mark.parametrize(
    ("frequency", "name", "cents"),
    [(440, "A4", 0), (261.63 * 2 ** (30 / 1200), "C4", 30), (185.0 * 2 ** (-10 / 1200), "F♯3", -10), (27.5, "A0", 0)],
)
def test_a_frequency_has_the_name_of_the_nearest_note(functions: Page, frequency: float, name: str, cents: int) -> None:
    assert functions.evaluate("nearestNote", frequency) == {"name": name, "cents": cents}


def heard(functions: Page, delay_s: float, noise: float, echo: float) -> tuple[NDArray[np.float64], int]:
    """Return half a second from the microphone after a sweep was played, and the sample at which it arrives."""
    sweep = np.array(functions.evaluate("Array.from(makeSweep(44100))"))
    signal = np.random.default_rng(5).standard_normal(RATE // 2) * noise
    start = round(delay_s * RATE)
    signal[start : start + len(sweep)] += 0.2 * sweep
    signal[start + 900 : start + 900 + len(sweep)] += 0.2 * echo * sweep
    return signal, start


@pytest.mark.parametrize(("noise", "echo"), [(0.0005, 0.0), (0.03, 0.0), (0.005, 0.8)])
def test_a_sweep_is_found_in_noise_and_echo(functions: Page, noise: float, echo: float) -> None:
    signal, start = heard(functions, 0.123, noise, echo)
    found = functions.evaluate("(it) => findPattern(Float32Array.from(it), makeSweep(44100))", signal.tolist())
    assert abs(found["index"] - start) <= 2 and found["score"] > 0.5


def agreed(functions: Page, findings: list[tuple[float, float]]) -> Any:
    return functions.evaluate("agreedDelay", [{"delay": delay, "score": score} for delay, score in findings])


def test_the_delay_is_what_most_clicks_agree_on(functions: Page) -> None:
    clear = [(0.100, 0.9), (0.101, 0.8), (0.100, 0.9), (0.099, 0.7), (0.35, 0.5), (0.100, 0.9)]
    assert agreed(functions, clear) == pytest.approx(0.100, abs=0.0005)
    assert agreed(functions, [(0.1 * i, 0.9) for i in range(6)]) is None, "they do not agree"
    assert agreed(functions, [(0.1, 0.1)] * 6) is None, "they were not heard"


@pytest.mark.parametrize("frames", [1, 4_001, 300_000])
def test_the_wav_file_has_exactly_the_samples_with_24_bits(functions: Page, frames: int) -> None:
    script = """(frames) => {
        const samples = Float32Array.from({ length: frames }, (_, i) => 1.1 * Math.sin(i * i * 0.001));
        const writer = new WavWriter(44100);
        for (let i = 0; i < frames; i += 2048) writer.add(samples.subarray(i, i + 2048));
        const reader = new FileReader();
        reader.readAsDataURL(writer.blob());
        return new Promise((done) => (reader.onload = () => done(reader.result)));
    }"""
    content = base64.b64decode(functions.evaluate(script, frames).partition(",")[2])
    expected = np.clip(1.1 * np.sin(np.arange(frames) ** 2.0 * 0.001), -1, 1)
    with soundfile.SoundFile(io.BytesIO(content)) as file:
        assert (file.samplerate, file.channels, file.subtype, file.frames) == (RATE, 1, "PCM_24", frames)
        np.testing.assert_allclose(file.read(), expected, atol=3e-7)
    assert len(content) % 2 == 0 and int.from_bytes(content[4:8], "little") == len(content) - 8


@pytest.mark.parametrize(
    ("amplitude", "words"), [(0.0, "No sound arrives"), (0.005, "Too quiet"), (0.3, "Good level"), (1.0, "Too loud")]
)
def test_the_meter_says_in_words_how_loud_it_is(functions: Page, amplitude: float, words: str) -> None:
    script = """(amplitude) => {
        const [bar, mark, hint] = [1, 2, 3].map(() => document.createElement("div"));
        const meter = new LevelMeter(bar, mark, hint);
        const block = Float32Array.from({ length: 2048 }, (_, i) => amplitude * Math.sin(i));
        for (let i = 0; i < 60; i++) meter.add(block, (i * 2048) / 44100);
        return hint.textContent;
    }"""
    assert functions.evaluate(script, amplitude).startswith(words)
