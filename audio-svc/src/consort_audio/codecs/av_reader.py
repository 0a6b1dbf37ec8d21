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

from consort_audio.codecs.audio_errors import cut_off, damaged, invalid_audio
from consort_audio.codecs.samples import BLOCK_FRAMES, Samples

_DEMUXERS = {"m4a": "mp4", "webm": "matroska", "opus": "ogg"}
"""Names of FFmpeg's demuxers that differ from the name of the format."""
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


def _as_samples(frame: Any) -> Samples:
    """Return the samples of a frame, one row per frame and one column per channel."""
    values = frame.to_ndarray()
    values = values.T if frame.format.is_planar else values.reshape(-1, frame.layout.nb_channels)
    if values.dtype == np.uint8:
        return np.asarray((values.astype(np.float32) - 128) / 128, np.float32)
    if np.issubdtype(values.dtype, np.integer):
        return np.asarray(values / float(1 << (8 * values.dtype.itemsize - 1)), np.float32)
    return np.ascontiguousarray(values, np.float32)
