"""Open an audio file of any known format, and yield its samples in blocks.

The format is detected by the first bytes; the name of the file does not matter. PyAV gets a file object and the name of
one demuxer, so that a file cannot make FFmpeg open other files or addresses.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from consort_audio.codecs.audio_errors import no_samples, unknown_format
from consort_audio.codecs.formats import HEAD_BYTES, detect_format, id3_size
from consort_audio.codecs.samples import Samples

_SOUNDFILE_FORMATS = ("wav", "flac", "ogg", "opus", "mp3", "aiff")


class AudioReader(Protocol):
    """An open audio file. Its blocks can be read once."""

    @property
    def format(self) -> str:
        """The name of the format, such as `flac`."""

    @property
    def sample_rate(self) -> int: ...

    @property
    def channels(self) -> int: ...

    @property
    def bits(self) -> int | None:
        """Bits per sample: 8 to 32, 64 for double precision, or None if the format is lossy."""

    @property
    def is_float(self) -> bool:
        """Whether samples are stored as floating-point numbers."""

    @property
    def declared_frames(self) -> int | None:
        """The number of frames by the file's own header, or None if it says nothing. It may be wrong."""

    def blocks(self, start: int = 0) -> Iterator[Samples]:
        """Yield the frames from `start` on, in blocks of about BLOCK_FRAMES. Raise MusicError if decoding fails."""


@contextmanager
def open_audio(path: Path) -> Iterator[AudioReader]:
    """Open a file with soundfile, or with PyAV if soundfile cannot read it.

    Raise INVALID_AUDIO if it has no known format or no sound track, and TOO_SHORT if it is empty.
    """
    found = _format_of(path)
    with _reader(path, found) as reader:
        yield reader


def _reader(path: Path, audio_format: str) -> AbstractContextManager[AudioReader]:
    """Return the reader for a file: soundfile if it can read it, otherwise PyAV."""
    if audio_format in _SOUNDFILE_FORMATS:
        from consort_audio.codecs.soundfile_reader import can_read, open_soundfile  # each reader takes 0.1 s to import

        if can_read(path):
            return open_soundfile(path, audio_format)
    from consort_audio.codecs.av_reader import open_av

    return open_av(path, audio_format)


def _format_of(path: Path) -> str:
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
        if not head:
            raise no_samples()
        found = detect_format(head)
        if skipped := id3_size(head):
            file.seek(skipped)
            found = detect_format(file.read(HEAD_BYTES)) or "mp3"  # MP3 files may have zeros after the tag
    if found is None:
        raise unknown_format(head)
    return found
