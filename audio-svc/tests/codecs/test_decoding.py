"""Files of every format decode to the sound that was written, from any frame on."""

from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_audio.codecs.decoding import open_audio
from consort_audio.codecs.formats import FORMATS, detect_format, format_of_name
from consort_audio.codecs.inspect_audio import inspect_audio
from consort_audio.codecs.loudness import LoudnessMeter
from tests.support.audio_files import Signal, melody, wav_bytes, wav_header, write_audio, write_with_ffmpeg

SECONDS = 1.5
LOSSLESS = ("wav", "flac", "aiff")
LOSSY_ERROR = 0.04
"""The largest error (root mean square) of a lossy file. FFmpeg's AAC encoder makes 0.024, a wrong channel 0.23."""
LOSSY_DELAY = {"aac": 1024}
"""Frames that a decoder adds at the beginning, because a file without a container cannot say how many to skip."""


def rate_of(extension: str) -> int:
    return 48_000 if extension in ("opus", "webm") else 44_100


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that writes a file of each format once."""
    folder, written = tmp_path_factory.mktemp("formats"), dict[str, Path]()

    def file(extension: str) -> Path:
        if extension not in written:
            rate = rate_of(extension)
            written[extension] = write_audio(folder / f"tone.{extension}", melody(SECONDS, rate), rate)
        return written[extension]

    return file


def decode(path: Path, start: int = 0) -> Signal:
    with open_audio(path) as audio:
        return np.concatenate([*audio.blocks(start), np.zeros((0, audio.channels), np.float32)])


@pytest.mark.parametrize("extension", FORMATS)
def test_every_format_decodes_to_the_sound_that_was_written(files: Callable[[str], Path], extension: str) -> None:
    written, found = melody(SECONDS, rate_of(extension)), decode(files(extension))
    if extension in LOSSLESS:
        assert found.shape == written.shape
        assert np.abs(found - written).max() < 1e-4
    else:
        delay = LOSSY_DELAY.get(extension, 0)
        assert len(written) <= len(found) <= len(written) + 2 * 1024 + delay
        error = found[delay : delay + len(written)] - written
        assert np.sqrt(np.mean(error[2000:-2000] ** 2)) < LOSSY_ERROR


@pytest.mark.parametrize("extension", FORMATS)
def test_the_facts_about_a_file(files: Callable[[str], Path], extension: str) -> None:
    facts = inspect_audio(files(extension), 60)
    assert facts.format == ("m4a" if extension == "mp4" else extension)  # an MP4 file without pictures
    assert (facts.sample_rate, facts.channels, facts.bytes) == (
        rate_of(extension),
        2,
        files(extension).stat().st_size,
    )
    assert facts.frames == len(decode(files(extension)))
    meter = LoudnessMeter(rate_of(extension), 2)
    meter.add(melody(SECONDS, rate_of(extension)))
    assert facts.peak_db == pytest.approx(meter.peak_db(), abs=0.7)
    assert facts.loudness == pytest.approx(meter.loudness(), abs=0.4)


@pytest.mark.parametrize("extension", FORMATS)
@settings(max_examples=8)
@given(data=st.data())
def test_reading_from_a_frame_gives_the_rest_of_the_file(
    files: Callable[[str], Path], extension: str, data: st.DataObject
) -> None:
    everything = decode(files(extension))
    start = data.draw(st.integers(0, len(everything) + 10))
    assert np.array_equal(decode(files(extension), start), everything[start:])


def test_the_name_of_a_file_does_not_matter(files: Callable[[str], Path], tmp_path: Path) -> None:
    for extension in FORMATS:
        renamed = tmp_path / f"{extension}.txt"
        renamed.write_bytes(files(extension).read_bytes())
        assert np.array_equal(decode(renamed), decode(files(extension)))


def test_a_live_recording_of_a_browser_has_no_duration_and_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "live.webm"
    write_with_ffmpeg(path, melody(SECONDS, 48_000), 48_000, "webm", "libopus", {"live": "1"})
    with open_audio(path) as audio:
        assert audio.declared_frames is None
    assert inspect_audio(path, 60).frames == pytest.approx(SECONDS * 48_000, abs=960)


def test_a_stream_with_an_unknown_size_in_its_header(tmp_path: Path) -> None:
    signal = melody(0.5, 44_100)
    for size in (0xFFFFFFFF, 0x7FFFFFFF):
        path = tmp_path / f"{size}.wav"
        path.write_bytes(wav_header(size, channels=2) + wav_bytes(signal)[44:])
        assert np.abs(decode(path) - signal).max() < 1e-4


def test_wav_codecs_that_only_ffmpeg_reads(tmp_path: Path) -> None:
    path = tmp_path / "packed.wav"
    write_with_ffmpeg(path, melody(SECONDS, 44_100), 44_100, "wav", "ac3")
    with pytest.raises(soundfile.SoundFileError):
        soundfile.info(path)
    facts = inspect_audio(path, 60)
    assert facts.format == "wav" and facts.frames == pytest.approx(SECONDS * 44_100, abs=2 * 1536)
    assert np.abs(decode(path)[1000:60_000] - melody(SECONDS, 44_100)[744:59_744]).max() < 0.05


@pytest.mark.parametrize(
    ("channels", "sample_rate", "subtype"),
    [(8, 48_000, "PCM_16"), (1, 192_000, "PCM_24"), (2, 8_000, "FLOAT"), (6, 44_100, "PCM_32"), (1, 11_025, "PCM_U8")],
)
def test_unusual_wav_files(tmp_path: Path, channels: int, sample_rate: int, subtype: str) -> None:
    signal = melody(0.3, sample_rate, channels)
    path = tmp_path / "unusual.wav"
    path.write_bytes(wav_bytes(signal, sample_rate, subtype))
    assert np.abs(decode(path) - signal).max() < 0.01
    facts = inspect_audio(path, 60)
    assert (facts.channels, facts.sample_rate, facts.frames) == (channels, sample_rate, len(signal))


@pytest.mark.parametrize("channels", [1, 6, 8])
def test_many_channels_in_aac(tmp_path: Path, channels: int) -> None:
    signal = melody(1, 48_000, channels)
    path = write_audio(tmp_path / "wide.m4a", signal, 48_000)
    found = decode(path)[: len(signal)]
    assert found.shape == signal.shape
    full = [channel for channel in range(channels) if channel != 3]  # the channel of low frequencies is filtered
    assert np.sqrt(np.mean((found - signal)[2000:-2000, full] ** 2)) < LOSSY_ERROR
    if channels < 8:  # there, PyAV's own arrays are an oracle; with eight planes they crash
        with av.open(str(path)) as container:
            arrays = [frame.to_ndarray().T for frame in container.decode(audio=0)]
        assert np.array_equal(decode(path), np.concatenate(arrays))


def test_formats_are_known_by_name() -> None:
    assert format_of_name("Take 1.WAVE") == "wav" and format_of_name("song.mid") is None
    assert [format_of_name(f"x.{name}") for name in FORMATS] == list(FORMATS)


@given(st.binary(max_size=64))
def test_any_bytes_have_a_known_format_or_none(head: bytes) -> None:
    assert detect_format(head) in {*FORMATS, None}
