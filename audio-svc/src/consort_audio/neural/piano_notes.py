"""The notes of a piano, with velocities and pedal, by the network transkun.

The recording is read in segments of 16 s that begin every 14 s, so that memory does not depend on its length. A key
continues in the next segment where its last complete note ended.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import soxr
from numpy.typing import NDArray

from consort_audio.codecs.decoding import open_audio
from consort_audio.codecs.samples import Samples
from consort_audio.neural.arrays import NetworkArray
from consort_audio.neural.piano.attributes import interval_attributes
from consort_audio.neural.piano.features import HOP, RATE_HZ, SEGMENT, segment_features
from consort_audio.neural.piano.intervals import find_intervals
from consort_audio.neural.piano.joining import EventJoiner, PianoEvent
from consort_audio.neural.sessions import session, weights
from consort_audio.signals.played_notes import PlayedNote

_SUSTAIN, _SOFT = 0, 1
_FIRST_KEY, _LOWEST_PITCH = 2, 21
_TARGETS = 90
_STEP = -(-14 * RATE_HZ // HOP) * HOP
_PADDING = 2 * RATE_HZ
"""Silence before and after the recording, in samples."""
_LAST_FRAME = round(SEGMENT / HOP)
_SILENCE_PEAK = 1e-3
"""The network ignores the level, so a segment with a lower peak (-60 dB) is taken as silence."""


class PianoPerformance(NamedTuple):
    notes: list[PlayedNote]
    sustain: list[tuple[float, float]]
    """When the sustain pedal is down: start and end in seconds."""
    soft: list[tuple[float, float]]
    """When the soft pedal is down."""


def transcribe_piano(samples: Samples, progress: Callable[[float], None] | None = None) -> PianoPerformance | None:
    """Return what is played in samples at 44,100 Hz, or None if the model is not installed.

    The samples have the shape (samples,) or (samples, channels). `progress` gets the part that is done, from 0 to 1.
    """
    block = (samples[:, None] if samples.ndim == 1 else samples).astype(np.float32, copy=False)
    blocks = (block[first : first + SEGMENT] for first in range(0, len(block), SEGMENT))
    return _transcribe(blocks, len(samples), progress)


def transcribe_piano_file(path: Path, progress: Callable[[float], None] | None = None) -> PianoPerformance | None:
    """Return what is played in an audio file, or None if the model is not installed. Only a part is in memory."""
    with open_audio(path) as reader:

        def blocks() -> Iterator[Samples]:
            resampler: soxr.ResampleStream | None = None
            for block in reader.blocks():
                channels = block[:, :2]
                if resampler is None:
                    resampler = soxr.ResampleStream(
                        reader.sample_rate, RATE_HZ, channels.shape[1], dtype="float32", quality="HQ"
                    )
                yield resampler.resample_chunk(np.ascontiguousarray(channels))
            if resampler is not None:
                yield resampler.resample_chunk(np.zeros((0, channels.shape[1]), np.float32), last=True)

        frames = reader.declared_frames
        total = None if frames is None else round(frames * RATE_HZ / reader.sample_rate)
        return _transcribe(blocks(), total, progress)


def _transcribe(
    blocks: Iterable[Samples], total: int | None, progress: Callable[[float], None] | None
) -> PianoPerformance | None:
    network, heads = session("transkun"), weights("transkun")
    if network is None or heads is None:
        return None
    joiner = EventJoiner()
    starts = np.full(_TARGETS, _PADDING // HOP)
    for number, segment in enumerate(_segments(blocks)):
        if np.abs(segment).max() < _SILENCE_PEAK:
            starts = np.zeros_like(starts)
            continue
        (tokens,) = network.run(["tokens"], {"features": segment_features(segment, heads)})
        began = (number * _STEP - _PADDING) / RATE_HZ
        starts = _add_events(tokens, starts, began, heads, joiner)
        if progress and total:
            progress(min(1.0, ((number + 1) * _STEP + SEGMENT - _STEP - _PADDING) / total))
    return _performance(joiner.events())


def _segments(blocks: Iterable[Samples]) -> Iterator[Samples]:
    """Yield segments (channels, SEGMENT) with `_PADDING` before and zeros after the samples."""
    waiting: Samples | None = None
    for block in blocks:
        part = block.T
        waiting = np.hstack([np.zeros((len(part), _PADDING), np.float32) if waiting is None else waiting, part])
        while waiting.shape[1] >= SEGMENT:
            yield waiting[:, :SEGMENT]
            waiting = waiting[:, _STEP:]
    while waiting is not None and waiting.shape[1] > 0:
        yield np.pad(waiting[:, :SEGMENT], ((0, 0), (0, max(0, SEGMENT - waiting.shape[1]))))
        waiting = waiting[:, _STEP:]


def _add_events(
    tokens: NetworkArray, starts: NDArray[np.int64], began: float, heads: dict[str, NetworkArray], joiner: EventJoiner
) -> NDArray[np.int64]:
    """Add the events of a segment that began at a time in seconds. Return the start frames of the next segment."""
    found = find_intervals(tokens, starts, heads)
    attributes = interval_attributes(found.features, heads)
    next_starts = np.zeros(_TARGETS, np.int64)
    ended = dict.fromkeys(range(_TARGETS), 0.0)
    for index, (target, first, last) in enumerate(
        zip(found.target.tolist(), found.begin.tolist(), found.end.tolist(), strict=True)
    ):
        shift_start, shift_end = attributes.shift[index].tolist()
        start = max((first + shift_start) * HOP / RATE_HZ, ended[target])
        end = max((last + shift_end) * HOP / RATE_HZ, start + 1e-8)
        ended[target] = end
        has_start = first > 0 or bool(attributes.is_inside[index, 0])
        has_end = last < _LAST_FRAME or bool(attributes.is_inside[index, 1])
        if has_end:
            next_starts[target] = max(last - _STEP // HOP, 0)
        joiner.add(
            PianoEvent(
                target=target,
                start=max(start + began, 0.0),
                end=max(end + began, 0.0),
                velocity=int(attributes.velocity[index]),
                score=float(found.score[index]),
                has_start=has_start,
                has_end=has_end,
            )
        )
    return next_starts


def _performance(events: list[PianoEvent]) -> PianoPerformance:
    notes = [
        PlayedNote(
            start=event.start,
            end=event.end,
            pitch=float(event.target - _FIRST_KEY + _LOWEST_PITCH),
            confidence=_confidence(event.score),
            velocity=max(1, event.velocity),
        )
        for event in events
        if event.target >= _FIRST_KEY
    ]
    sustain, soft = (
        [(event.start, event.end) for event in events if event.target == target] for target in (_SUSTAIN, _SOFT)
    )
    return PianoPerformance(notes, sustain, soft)


def _confidence(score: float) -> float:
    """Return the probability that a note is right, from the score of its interval.

    The logistic function was set by hand after rendered performances: nearly all notes with a score of 3 or more were
    right, and the few wrong ones had about 2.
    """
    return 1 / (1 + float(np.exp(-0.5 - 0.7 * score)))
