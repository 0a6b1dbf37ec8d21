"""Read a part of a file once, block by block, and measure everything that its picture shows."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.codecs.samples import Samples
from consort_audio.pictures.measuring.columns import ChannelSamples, Columns
from consort_audio.pictures.measuring.envelope import Envelope
from consort_audio.pictures.measuring.spectrogram import Spectrogram

_FRAMES_AT_ONCE = 2**18  # numpy is faster with fewer, longer arrays


class Measured(NamedTuple):
    envelope: Envelope
    power: NDArray[np.float32] | None
    """The spectrogram as (rows, columns), or None if the picture has none."""


def measure(
    blocks: Iterable[Samples],
    first: int,
    columns: Columns,
    channels: int,
    spectrogram: Spectrogram | None,
) -> Measured:
    """Measure blocks of shape (frames, channels). The first block starts at frame `first` of the file.

    The blocks may start before the first column and end after the last one, as far as the spectrogram reaches.
    """
    envelope = Envelope(columns, channels)
    at = first
    for samples in _larger(blocks):
        begin, end = (min(max(edge - at, 0), samples.shape[1]) for edge in (columns.first, columns.end))
        envelope.add(at + begin, samples[:, begin:end])
        if spectrogram is not None:
            spectrogram.add(at, samples)
        at += samples.shape[1]
    return Measured(envelope, spectrogram.finish() if spectrogram is not None else None)


def _larger(blocks: Iterable[Samples]) -> Iterator[ChannelSamples]:
    """Yield the blocks, several of them joined, as (channels, frames)."""
    waiting: list[Samples] = []
    for block in blocks:
        waiting.append(block)
        if sum(map(len, waiting)) >= _FRAMES_AT_ONCE:
            yield np.ascontiguousarray(np.concatenate(waiting).T)
            waiting = []
    if waiting:
        yield np.ascontiguousarray(np.concatenate(waiting).T)
