"""Read wav, flac, ogg, opus, mp3 and aiff files with soundfile (libsndfile)."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import soundfile

from consort_audio.codecs.audio_errors import cut_off, damaged, invalid_audio
from consort_audio.codecs.samples import BLOCK_FRAMES, Samples

_BITS = {"PCM_S8": 8, "PCM_U8": 8, "PCM_16": 16, "PCM_24": 24, "PCM_32": 32, "FLOAT": 32, "DOUBLE": 64}
_UNKNOWN_FRAMES = 1 << 62
"""libsndfile declares a number near 2**63 if a header does not say how many frames follow."""
_UNKNOWN_SIZES = (0, 0x7FFFFFFF, 0xFFFFFFFF)
"""Sizes that programs write into a WAV header when they do not know the length yet."""


def can_read(path: Path) -> bool:
    """Return whether soundfile can read the header of this file."""
    try:
        soundfile.info(path)
    except soundfile.SoundFileError:
        return False
    return True


@contextmanager
def open_soundfile(path: Path, audio_format: str) -> Iterator["SoundFileReader"]:
    if audio_format in ("wav", "aiff"):
        _check_is_complete(path)
    with soundfile.SoundFile(path) as file:
        yield SoundFileReader(file, audio_format)


class SoundFileReader:
    def __init__(self, file: soundfile.SoundFile, audio_format: str) -> None:
        self._file = file
        self.format = audio_format
        self.sample_rate: int = file.samplerate
        self.channels: int = file.channels
        self.bits: int | None = _BITS.get(file.subtype)
        self.is_float: bool = file.subtype in ("FLOAT", "DOUBLE")
        self.declared_frames: int | None = file.frames if 0 < file.frames < _UNKNOWN_FRAMES else None

    def blocks(self, start: int = 0) -> Iterator[Samples]:
        found = 0
        if start and self.bits is not None:  # seeking is exact only if the format is lossless
            if start >= (self.declared_frames or 0):
                return
            self._seek(start)
            found = start
        while len(block := self._read()):
            found += len(block)
            if found > start:
                yield block[max(0, start - found + len(block)) :]
        if self.declared_frames is not None and self.bits is not None and found < self.declared_frames:
            raise cut_off(self.declared_frames / self.sample_rate, found / self.sample_rate)

    def _seek(self, start: int) -> None:
        try:
            self._file.seek(start)
        except soundfile.SoundFileError as error:
            raise damaged(self.format) from error

    def _read(self) -> Samples:
        try:
            block: Samples = self._file.read(BLOCK_FRAMES, dtype="float32", always_2d=True)
        except soundfile.SoundFileError as error:
            raise damaged(self.format) from error
        return block if block.dtype == np.float32 else block.astype(np.float32)


def _check_is_complete(path: Path) -> None:
    """Raise INVALID_AUDIO if a WAV or AIFF file ends before the samples that its header declares.

    libsndfile would read the rest without an error. A size that is unknown, as in a stream, is accepted.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        order = ">" if file.read(12)[:4] == b"FORM" else "<"
        while len(head := file.read(8)) == 8:
            kind, length = head[:4], struct.unpack(f"{order}I", head[4:])[0]
            if kind in (b"data", b"SSND"):
                present = size - file.tell()
                if length not in _UNKNOWN_SIZES and present < length:
                    raise invalid_audio(
                        f"The file is cut off: {length:,} bytes of sound should follow the header, but only "
                        f"{present:,} do."
                    )
                return
            file.seek(length + length % 2, 1)
