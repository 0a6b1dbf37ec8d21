"""Damaged and hostile files give a clear error, in bounded memory."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_audio.codecs.child_calls import inspect_in_child
from consort_audio.codecs.formats import FORMATS
from consort_audio.codecs.inspect_audio import inspect_audio
from consort_kit.processes.child_process import run_in_child
from consort_kit.processes.child_resource_limits import ChildLimits
from consort_music.errors import MusicError
from tests.support.audio_files import (
    file_bytes,
    melody,
    sine,
    video_without_sound,
    wav_bytes,
    wav_header,
    write_audio,
    write_with_ffmpeg,
)

FLAC_TOTAL_SAMPLES = slice(21, 26)
"""The bytes of the number of samples in a FLAC file; the first four bits belong to another field."""


def error_of(path: Path, max_duration_s: float = 7200) -> MusicError:
    with pytest.raises(MusicError) as caught:
        inspect_audio(path, max_duration_s)
    message = caught.value.message
    assert message[0].isupper() and message.endswith(".")
    return caught.value


def code_of(content: bytes, tmp_path: Path, max_duration_s: float = 7200) -> str:
    path = tmp_path / "bad"
    path.write_bytes(content)
    return error_of(path, max_duration_s).code


def with_sample(value: float) -> bytes:
    signal = sine(440, 1)
    signal[20_000] = value
    return wav_bytes(signal, subtype="FLOAT")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "TOO_SHORT"),
        (wav_header(0), "TOO_SHORT"),
        (file_bytes(np.zeros((0, 1), np.float32), 44_100, "FLAC", "PCM_16"), "TOO_SHORT"),
        (b"hello, this is no music", "INVALID_AUDIO"),
        (b"\0" * 5000, "INVALID_AUDIO"),
        (b"RIFF\xff\xff\xff\x7fWAVEfmt " + b"\xab" * 500, "INVALID_AUDIO"),
        (b"fLaC" + b"\x55" * 500, "INVALID_AUDIO"),
        (b"OggS" + b"\x55" * 500, "INVALID_AUDIO"),
        (b"\0\0\0\x20ftypM4A " + b"\x55" * 500, "INVALID_AUDIO"),
        (b"\x1aE\xdf\xa3" + b"\x55" * 500, "INVALID_AUDIO"),
        (b"ID3\x04\0\0\0\0\0\x0a" + b"\x55" * 500, "INVALID_AUDIO"),
        (b"\xff\xf1" + b"\x55" * 500, "INVALID_AUDIO"),
        (with_sample(np.nan), "INVALID_AUDIO"),
        (with_sample(np.inf), "INVALID_AUDIO"),
        (with_sample(-np.inf), "INVALID_AUDIO"),
        (with_sample(1e30), "INVALID_AUDIO"),
        (wav_bytes(np.zeros((1000, 9), np.float32)), "INVALID_AUDIO"),
        (wav_bytes(np.zeros((1000, 1), np.float32), 384_000), "INVALID_AUDIO"),
        (wav_bytes(np.zeros((1000, 1), np.float32), 100), "INVALID_AUDIO"),
        (wav_header(36_000 * 44_100 * 2) + bytes(1000), "INVALID_AUDIO"),
        (wav_bytes(sine(440, 1))[:-1000], "INVALID_AUDIO"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, content: bytes, code: str) -> None:
    assert code_of(content, tmp_path) == code


def test_a_playlist_opens_no_other_file(tmp_path: Path) -> None:
    secret = write_audio(tmp_path / "secret.wav", sine(440, 1), 44_100)
    id3 = b"ID3\x04\0\0\0\0\0\0"  # behind an empty tag, FFmpeg would look for any format
    for text in (f"ffconcat version 1.0\nfile {secret.name}\n", f"#EXTM3U\n#EXTINF:1,\nfile://{secret}\n", str(secret)):
        for content in (text.encode(), id3 + text.encode()):
            assert code_of(content, tmp_path) == "INVALID_AUDIO"


def test_a_film_without_sound(tmp_path: Path) -> None:
    assert "no sound track" in error_of(video_without_sound(tmp_path / "film.mp4")).message


@pytest.mark.parametrize("extension", ["wav", "aiff", "flac", "m4a", "webm"])
def test_a_file_that_is_cut_off(tmp_path: Path, extension: str) -> None:
    path = write_audio(tmp_path / f"whole.{extension}", melody(3, 48_000), 48_000)
    content = path.read_bytes()
    assert code_of(content[: len(content) // 2], tmp_path) == "INVALID_AUDIO"


def test_a_cut_off_file_with_its_index_first(tmp_path: Path) -> None:
    path = tmp_path / "fast.m4a"
    write_with_ffmpeg(path, melody(3, 44_100), 44_100, "ipod", "aac", {"movflags": "faststart"})
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert "cut off" in error_of(path).message


def test_longer_than_allowed(tmp_path: Path) -> None:
    for extension in ("wav", "mp3", "m4a", "webm"):
        path = write_audio(tmp_path / f"long.{extension}", melody(3, 48_000), 48_000)
        assert error_of(path, 2.5).code == "TOO_LARGE"
        assert inspect_audio(path, 3.2).frames >= 3 * 48_000


@pytest.fixture(scope="module")
def bomb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small FLAC file with more than 2 hours of silence."""
    path = tmp_path_factory.mktemp("bomb") / "bomb.flac"
    silence = np.zeros(1_000_000, np.int16)
    with soundfile.SoundFile(path, "w", 4_000, 1, "PCM_16", format="FLAC", compression_level=0) as file:
        for _ in range(30):
            file.write(silence)
    assert path.stat().st_size < 500_000
    return path


@pytest.mark.parametrize("declares", [36_000 * 4_000, 1_000, 0])
def test_hours_of_silence_in_a_tiny_file(bomb: Path, tmp_path: Path, declares: int) -> None:
    """Whether its header tells the truth, lies, or says nothing."""
    content = bytearray(bomb.read_bytes())
    place = content[FLAC_TOTAL_SAMPLES]
    content[FLAC_TOTAL_SAMPLES] = bytes([place[0] & 0xF0]) + declares.to_bytes(4, "big")
    path = tmp_path / "bomb.flac"
    path.write_bytes(content)
    if declares == 1_000:
        assert inspect_audio(path, 7200).frames <= 1_000
    else:
        assert error_of(path).code == "TOO_LARGE"


def test_a_long_file_needs_little_memory(bomb: Path) -> None:
    """A child process with 200 MB of address space, of which the libraries take 110 MB, checks two hours of sound."""
    limits = ChildLimits(cpu_s=60, memory_bytes=200 * 1024**2)
    facts = asyncio.run(run_in_child(limits, inspect_in_child, bomb, 36_000))
    assert facts.frames == 30_000_000 and facts.peak_db is None


def test_the_number_of_samples_is_limited_too(tmp_path: Path) -> None:
    """An hour is allowed, but not at 192 kHz in 8 channels."""
    path = tmp_path / "wide.wav"
    with path.open("wb") as file:
        frames = 3600 * 192_000
        file.write(wav_header(min(frames * 16, 0xFFFFFFF0), 192_000, 8))
        file.truncate(44 + min(frames * 16, 0xFFFFFFF0))  # a sparse file
    assert error_of(path).code == "TOO_LARGE"


@pytest.fixture(scope="module")
def small_files(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    folder = tmp_path_factory.mktemp("small")
    written: dict[str, bytes] = {}

    def content(extension: str) -> bytes:
        if extension not in written:
            path = write_audio(folder / f"small.{extension}", melody(0.2, 48_000), 48_000)
            written[extension] = path.read_bytes()
        return written[extension]

    return content


@pytest.mark.parametrize("extension", FORMATS)
@settings(max_examples=25)
@given(data=st.data())
def test_damaged_files_are_decoded_or_rejected(
    small_files: Callable[[str], bytes], tmp_path_factory: pytest.TempPathFactory, extension: str, data: st.DataObject
) -> None:
    content = bytearray(small_files(extension))
    for _ in range(data.draw(st.integers(1, 8), label="damages")):
        start = data.draw(st.integers(0, len(content) - 1) | st.integers(0, min(300, len(content) - 1)), label="at")
        damage = data.draw(st.binary(min_size=1, max_size=16), label="bytes")
        content[start : start + len(damage)] = damage
    if data.draw(st.booleans(), label="cut"):
        content = content[: data.draw(st.integers(0, len(content)), label="end")]
    path = tmp_path_factory.getbasetemp() / f"damaged.{extension}"
    path.write_bytes(content)
    try:
        facts = inspect_audio(path, 600)
    except MusicError as error:
        assert error.code in ("INVALID_AUDIO", "TOO_SHORT", "TOO_LARGE")
    else:
        assert facts.frames > 0
        assert facts.peak_db is None or np.isfinite(facts.peak_db)
        assert facts.loudness is None or np.isfinite(facts.loudness)
