"""Write blocks of audio to a wav, flac, ogg (Vorbis) or mp3 file.

Samples beyond full scale are clipped. MP3 has at most two channels and 48 kHz: `convert` changes the audio before.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import soundfile

from consort_audio.codecs.decoding import AudioReader
from consort_audio.codecs.formats import WRITTEN_FORMATS
from consort_audio.codecs.samples import BLOCK_FRAMES, Samples

_CONTAINERS = {"wav": "WAV", "flac": "FLAC", "ogg": "OGG", "mp3": "MP3"}
_LOSSY = {"ogg": "VORBIS", "mp3": "MPEG_LAYER_III"}
_COMPRESSION = {"flac": 0.6, "ogg": 0.4, "mp3": 0.1}
"""From 0 (best sound, largest file) to 1. The bit rate of Vorbis and MP3 is variable and depends on the sound."""


class AudioWriter:
    def __init__(self, file: soundfile.SoundFile) -> None:
        self._file = file
        self.frames = 0

    def write(self, block: Samples) -> None:
        """Add frames. `block` has one row per frame and one column per channel."""
        for start in range(0, len(block), BLOCK_FRAMES):  # libsndfile's Vorbis encoder crashes if a block is too large
            with _write_errors():
                self._file.write(np.ascontiguousarray(block[start : start + BLOCK_FRAMES]))
        self.frames += len(block)


@contextmanager
def open_writer(
    path: Path, audio_format: str, sample_rate: int, channels: int, depth: str = "PCM_16"
) -> Iterator[AudioWriter]:
    """Open a new file in one of WRITTEN_FORMATS. `depth` (PCM_16, PCM_24 or FLOAT) counts for wav and flac only.

    Raise OSError if the file cannot be written.
    """
    assert audio_format in WRITTEN_FORMATS, audio_format
    with _write_errors():
        file = soundfile.SoundFile(
            path,
            "w",
            samplerate=sample_rate,
            channels=channels,
            format=_CONTAINERS[audio_format],
            subtype=_LOSSY.get(audio_format, depth),
            compression_level=_COMPRESSION.get(audio_format),
            bitrate_mode="VARIABLE" if audio_format == "mp3" else None,
        )
    try:
        yield AudioWriter(file)
    finally:
        with _write_errors():
            file.close()


@contextmanager
def _write_errors() -> Iterator[None]:
    """Raise OSError instead of libsndfile's errors. soundfile asserts that all frames were written."""
    try:
        yield
    except (soundfile.LibsndfileError, AssertionError) as error:
        raise OSError(f"The file could not be written: {error}") from error


def depth_for(source: AudioReader, audio_format: str) -> str:
    """Return the depth that keeps what is in the source: 16 bits, or 24 (in WAV also float) if the source is deeper."""
    if source.is_float and audio_format == "wav":
        return "FLOAT"
    return "PCM_24" if (source.bits or 16) > 16 else "PCM_16"
