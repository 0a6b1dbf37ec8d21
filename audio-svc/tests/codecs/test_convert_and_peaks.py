"""Files are converted to other formats without changing the sound, and their outline is that of numpy."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from consort_audio.codecs.convert import convert
from consort_audio.codecs.formats import WRITTEN_FORMATS
from consort_audio.codecs.peaks import peaks
from tests.support.audio_files import melody, sine, wav_bytes, write_audio


@pytest.mark.parametrize("extension", ["webm", "aiff", "mp3"])
@pytest.mark.parametrize("target", WRITTEN_FORMATS)
def test_converting_keeps_the_sound(tmp_path: Path, extension: str, target: str) -> None:
    written = melody(1.5, 48_000)
    source = write_audio(tmp_path / f"source.{extension}", written, 48_000)
    made = tmp_path / "made"
    convert(source, made, target)
    assert soundfile.info(made).format.lower() == target
    samples, rate = soundfile.read(made, dtype="float32", always_2d=True)
    assert rate == 48_000 and len(samples) == pytest.approx(len(written), abs=1200)
    error = samples[4_000:60_000] - written[4_000:60_000]
    assert np.sqrt(np.mean(error**2)) < 0.02


@pytest.mark.parametrize(("subtype", "depth"), [("PCM_16", "PCM_16"), ("PCM_24", "PCM_24"), ("FLOAT", "PCM_24")])
def test_the_depth_is_kept(tmp_path: Path, subtype: str, depth: str) -> None:
    source = tmp_path / "source.wav"
    source.write_bytes(wav_bytes(melody(0.5, 44_100), subtype=subtype))
    convert(source, tmp_path / "made.flac", "flac")
    assert soundfile.info(tmp_path / "made.flac").subtype == depth
    before, after = (soundfile.read(each, dtype="float32")[0] for each in (source, tmp_path / "made.flac"))
    assert np.abs(before - after).max() <= (2**-23 if subtype == "FLOAT" else 0)


def test_mp3_of_a_file_with_a_rate_and_channels_that_mp3_does_not_have(tmp_path: Path) -> None:
    source = tmp_path / "source.wav"
    source.write_bytes(wav_bytes(sine(440, 2, 192_000, channels=8), 192_000))
    convert(source, tmp_path / "made.mp3", "mp3")
    samples, rate = soundfile.read(tmp_path / "made.mp3", dtype="float32", always_2d=True)
    assert (rate, samples.shape[1]) == (48_000, 2) and len(samples) == pytest.approx(96_000, abs=100)
    spectrum = np.abs(np.fft.rfft(samples[:48_000, 0]))
    assert abs(int(spectrum.argmax()) - 440) <= 1


@pytest.mark.parametrize("channels", [3, 6, 8])
def test_mp3_of_many_channels_is_not_louder_than_the_file(tmp_path: Path, channels: int) -> None:
    source = tmp_path / "source.wav"
    source.write_bytes(wav_bytes(sine(440, 0.5, channels=channels, level_db=-6), 44_100))
    convert(source, tmp_path / "made.mp3", "mp3")
    samples, _ = soundfile.read(tmp_path / "made.mp3", dtype="float32")
    assert 0.45 < np.abs(samples).max() < 0.55


@given(seed=st.integers(0, 1000), frames=st.integers(1, 150_000), count=st.integers(1, 1000))
def test_peaks_are_the_extremes_of_each_stretch(
    tmp_path_factory: pytest.TempPathFactory, seed: int, frames: int, count: int
) -> None:
    signal = np.random.default_rng(seed).uniform(-1, 1, (frames, 2)).astype(np.float32)
    path = tmp_path_factory.getbasetemp() / "peaks.wav"
    path.write_bytes(wav_bytes(signal, subtype="FLOAT"))
    found = peaks(path, frames, count)
    count = min(count, frames)
    edges = [-(-frames * index // count) for index in range(count + 1)]
    expected = [[signal[a:b].min(), signal[a:b].max()] for a, b in pairwise(edges)]
    assert np.abs(np.array(found) - np.array(expected)).max() < 1e-4
