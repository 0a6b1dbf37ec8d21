"""A cut has exactly the samples of the original between two frames."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from consort_audio.codecs.cut import cut
from consort_audio.codecs.decoding import open_audio
from consort_audio.codecs.inspect_audio import inspect_audio
from tests.support.audio_files import Signal, melody, wav_bytes, write_audio

RATE = 48_000
DEPTHS = ("PCM_16", "PCM_24", "FLOAT")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Signal]]:
    """Return a function that writes a file once and decodes it: by depth of a WAV file, or by extension."""
    folder, made = tmp_path_factory.mktemp("sources"), dict[str, tuple[Path, Signal]]()

    def file(kind: str) -> tuple[Path, Signal]:
        if kind not in made:
            signal = melody(2, RATE) if kind not in DEPTHS else noise()
            path = folder / f"source.{kind}"
            path.write_bytes(wav_bytes(signal, RATE, kind)) if kind in DEPTHS else write_audio(path, signal, RATE)
            with open_audio(path) as audio:
                made[kind] = path, np.concatenate(list(audio.blocks()))
        return made[kind]

    return file


def noise() -> Signal:
    """Return samples over the whole range, among them both extremes."""
    random = np.random.default_rng(3).uniform(-1, 1, (2 * RATE, 2)).astype(np.float32)
    random[:2] = [[-1, 1 - 2**-23], [0, 2**-23]]
    return random


@pytest.mark.parametrize("kind", [*DEPTHS, "flac", "aiff"])
@given(data=st.data())
def test_a_cut_of_a_lossless_file_is_exact(
    source: Callable[[str], tuple[Path, Signal]],
    tmp_path_factory: pytest.TempPathFactory,
    kind: str,
    data: st.DataObject,
) -> None:
    path, everything = source(kind)
    start = data.draw(st.integers(0, len(everything) - 1))
    end = data.draw(st.integers(start + 1, len(everything)))
    target = tmp_path_factory.getbasetemp() / "cut"
    made = cut(path, target, start, end).format
    assert made == ("wav" if kind in DEPTHS else "flac")
    info = soundfile.info(target)
    assert (info.format.lower(), info.subtype) == (made, kind if kind in DEPTHS else "PCM_16")
    samples, rate = soundfile.read(target, dtype="float32", always_2d=True)
    assert rate == RATE and np.array_equal(samples, everything[start:end])


@pytest.mark.parametrize("kind", ["mp3", "ogg", "m4a", "webm"])
def test_a_cut_of_a_lossy_file_has_the_decoded_samples(
    source: Callable[[str], tuple[Path, Signal]], tmp_path: Path, kind: str
) -> None:
    path, everything = source(kind)
    assert cut(path, tmp_path / "cut", 30_001, 70_002).format == "flac"
    samples, _ = soundfile.read(tmp_path / "cut", dtype="float32", always_2d=True)
    assert samples.shape == (40_001, 2)
    assert np.abs(samples - everything[30_001:70_002]).max() <= 2**-15


@pytest.mark.parametrize("kind", ["PCM_24", "FLOAT", "flac", "mp3"])
def test_the_facts_are_those_of_the_written_file(
    source: Callable[[str], tuple[Path, Signal]], tmp_path: Path, kind: str
) -> None:
    path, _ = source(kind)
    facts = cut(path, tmp_path / "cut", 5_000, 85_000, 1_000, 20_000)
    checked = inspect_audio(tmp_path / "cut", 60)
    assert facts.peak_db == pytest.approx(checked.peak_db, abs=0.01)
    assert facts.loudness == pytest.approx(checked.loudness, abs=0.01)
    assert replace(facts, peak_db=checked.peak_db, loudness=checked.loudness) == checked


@given(fade_in=st.integers(0, 5_000), fade_out=st.integers(0, 5_000))
def test_fades_are_linear(
    source: Callable[[str], tuple[Path, Signal]], tmp_path_factory: pytest.TempPathFactory, fade_in: int, fade_out: int
) -> None:
    path, everything = source("FLOAT")
    target = tmp_path_factory.getbasetemp() / "faded"
    cut(path, target, 1_000, 81_000, fade_in, fade_out)  # more than one block
    samples, _ = soundfile.read(target, dtype="float32", always_2d=True)
    gains = np.ones(80_000)
    gains[:fade_in] *= np.arange(fade_in) / max(fade_in, 1)
    gains[80_000 - fade_out :] *= np.arange(fade_out)[::-1] / max(fade_out, 1)
    assert np.abs(samples - everything[1_000:81_000] * gains[:, None]).max() < 1e-6
