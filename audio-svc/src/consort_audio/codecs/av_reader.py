"""Read m4a, aac, webm and mp4 files with PyAV (FFmpeg).

The first audio stream is decoded; pictures and other streams are ignored. A recording that a browser makes live has no
duration in its header, so the samples are counted. Packets that cannot be decoded are skipped, as players do, but not
more than `_MAX_BAD_PACKETS`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import av.error
import numpy as np
from av.container import InputContainer
from numpy.typing import NDArray

from consort_audio.codecs.audio_errors import cut_off, damaged, invalid_audio
from consort_audio.codecs.samples import BLOCK_FRAMES, Samples

_DEMUXERS = {"m4a": "mp4", "webm": "matroska", "opus": "ogg"}
"""Names of FFmpeg's demuxers that differ from the name of the format."""
_SAMPLE_TYPES: dict[str, type[np.number[Any]]] = {
    "u8": np.uint8,
    "s16": np.int16,
    "s32": np.int32,
    "s64": np.int64,
    "flt": np.float32,
    "dbl": np.float64,
}
_MAX_BAD_PACKETS = 20
_TOLERATED_S = 0.5
"""How much shorter the sound may be than the header says: encoders pad their last frame."""


@contextmanager
def open_av(path: Path, audio_format: str) -> Iterator["AvReader"]:
    demuxer = _DEMUXERS.get(audio_format, audio_format)
    with path.open("rb") as file:
        try:
            container = av.open(file, "r", format=demuxer, metadata_errors="ignore")
        except (av.error.FFmpegError, ValueError) as error:
            raise damaged(audio_format) from error
        with container:
            streams = container.streams.audio
            if not streams:
                raise invalid_audio("The file has no sound track, only pictures or other data.")
            if streams[0].codec_context is None or not streams[0].codec_context.sample_rate:
                raise invalid_audio("The file's sound track is damaged, or its codec is not known.")
            yield AvReader(container, audio_format)


class AvReader:
    def __init__(self, container: InputContainer, audio_format: str) -> None:
        self._container = container
        self._stream = container.streams.audio[0]
        self.sample_rate = self._stream.codec_context.sample_rate
        self.channels = self._stream.codec_context.channels
        self.bits: int | None = None
        self.is_float = False
        self.format = "m4a" if audio_format == "mp4" and not container.streams.video else audio_format
        self.declared_frames = self._declared_frames()

    def _declared_frames(self) -> int | None:
        """Return the number of frames by the header, or None if there is only an estimate, as without a container."""
        stream = self._stream
        if self.format in ("aac", "mp3"):
            return None
        if stream.duration is not None and stream.time_base is not None:
            seconds = Fraction(stream.duration) * stream.time_base
        elif self._container.duration is not None:
            seconds = Fraction(self._container.duration, av.time_base)
        else:
            return None
        return round(seconds * self.sample_rate) if seconds > 0 else None

    def blocks(self, start: int = 0) -> Iterator[Samples]:
        waiting: list[Samples] = []
        waiting_frames = found = 0
        for part in self._decoded():
            found += len(part)
            if found <= start:
                continue
            part = part[max(0, start - found + len(part)) :]
            waiting.append(part)
            waiting_frames += len(part)
            if waiting_frames >= BLOCK_FRAMES:
                yield np.concatenate(waiting)
                waiting, waiting_frames = [], 0
        if waiting:
            yield np.concatenate(waiting)
        tolerated = _TOLERATED_S * self.sample_rate
        if self.declared_frames is not None and found < 0.98 * self.declared_frames - tolerated:
            raise cut_off(self.declared_frames / self.sample_rate, found / self.sample_rate)

    def _decoded(self) -> Iterator[Samples]:
        """Yield the samples of each decoded frame."""
        self._stream.codec_context.thread_count = 1
        bad_packets = 0
        packets = self._container.demux(self._stream)
        while True:
            try:
                packet = next(packets)
                frames = packet.decode()
            except StopIteration:
                return
            except (av.error.FFmpegError, ValueError) as error:
                bad_packets += 1
                if bad_packets > _MAX_BAD_PACKETS:
                    raise damaged(self.format) from error
                continue
            for frame in frames:
                if (frame.sample_rate, frame.layout.nb_channels) != (self.sample_rate, self.channels):
                    raise invalid_audio("The file changes its sample rate or its number of channels in the middle.")
                yield _as_samples(frame)


def _as_samples(frame: av.AudioFrame) -> Samples:
    """Return the samples of a frame, one row per frame and one column per channel.

    The planes are read one by one, because PyAV's own `to_ndarray` crashes if there are eight of them (PyAV 18.1).
    """
    channels, dtype = frame.layout.nb_channels, _SAMPLE_TYPES.get(frame.format.packed.name)
    if dtype is None:
        raise invalid_audio(f"The file's samples are stored as {frame.format.name}, which is not known.")
    if frame.format.is_planar:
        values = np.stack([_plane(frame, channel, dtype)[: frame.samples] for channel in range(channels)], axis=1)
    else:
        values = _plane(frame, 0, dtype)[: frame.samples * channels].reshape(-1, channels)
    if dtype is np.uint8:
        return np.asarray((values.astype(np.float32) - 128) / 128, np.float32)
    if np.issubdtype(dtype, np.integer):
        return np.asarray(values / float(1 << (8 * values.dtype.itemsize - 1)), np.float32)
    return np.array(values, np.float32)


def _plane(frame: Any, index: int, dtype: type[np.number[Any]]) -> NDArray[np.number[Any]]:
    """Return the values of one plane. It may be longer than the frame."""
    return np.frombuffer(frame.planes[index], dtype)
