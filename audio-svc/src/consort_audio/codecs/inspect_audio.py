"""Check an audio file completely: decode all of it, count the samples and measure it."""

import hashlib
from pathlib import Path

import numpy as np

from consort_audio.codecs.audio_errors import invalid_audio, no_samples, too_long
from consort_audio.codecs.decoding import AudioReader, open_audio
from consort_audio.codecs.facts import AudioFacts
from consort_audio.codecs.loudness import LoudnessMeter
from consort_audio.codecs.samples import Samples

MIN_SAMPLE_RATE, MAX_SAMPLE_RATE = 4_000, 192_000
MAX_CHANNELS = 8
MAX_SAMPLES = 2 * 3600 * 48_000 * 2
"""The most samples in all channels together: two hours of 48 kHz stereo. It bounds time, and disk when converted."""
MAX_LEVEL = 1000.0
"""The largest sample that is accepted: 60 dB above full scale. A file with larger ones has a wrong scale."""


def inspect_audio(path: Path, max_duration_s: float) -> AudioFacts:
    """Decode the whole file in blocks and return the facts about it.

    Raise INVALID_AUDIO if it cannot be decoded or has impossible values, TOO_SHORT if it has no samples, and TOO_LARGE
    as soon as it turns out to be longer than `max_duration_s`, whatever its header says.
    """
    with open_audio(path) as audio:
        _check_shape(audio)
        max_duration_s = min(max_duration_s, MAX_SAMPLES / (audio.sample_rate * audio.channels))
        max_frames = int(max_duration_s * audio.sample_rate)
        if audio.declared_frames is not None and audio.declared_frames > max_frames + audio.sample_rate:
            raise too_long(max_duration_s)
        meter, frames = LoudnessMeter(audio.sample_rate, audio.channels), 0
        for block in audio.blocks():
            _check_values(block, frames / audio.sample_rate)
            frames += len(block)
            if frames > max_frames:
                raise too_long(max_duration_s)
            meter.add(block)
        if frames == 0:
            raise no_samples()
        return facts_of(path, audio.format, audio, frames, meter)


def facts_of(path: Path, audio_format: str, shape: AudioReader, frames: int, meter: LoudnessMeter) -> AudioFacts:
    """Return the facts about a complete file whose frames have been counted and measured."""
    return AudioFacts(
        format=audio_format,
        sample_rate=shape.sample_rate,
        channels=shape.channels,
        frames=frames,
        bytes=path.stat().st_size,
        sha256=_sha256_of(path),
        peak_db=meter.peak_db(),
        loudness=meter.loudness(),
    )


def _check_shape(audio: AudioReader) -> None:
    if not MIN_SAMPLE_RATE <= audio.sample_rate <= MAX_SAMPLE_RATE:
        raise invalid_audio(
            f"The sample rate is {audio.sample_rate:,} Hz, and it must be from {MIN_SAMPLE_RATE:,} to "
            f"{MAX_SAMPLE_RATE:,} Hz, for example 44,100."
        )
    if not 1 <= audio.channels <= MAX_CHANNELS:
        raise invalid_audio(
            f"The file has {audio.channels} channels, and it must have 1 to {MAX_CHANNELS}, for example 2."
        )


def _check_values(block: Samples, start_s: float) -> None:
    """Raise INVALID_AUDIO if a sample is not a number, or is far beyond full scale."""
    highest, lowest = float(block.max()), float(block.min())
    if not (np.isfinite(highest) and np.isfinite(lowest)):
        raise invalid_audio(f"The file has samples that are not finite numbers, after {start_s:.1f} s.")
    if max(highest, -lowest) > MAX_LEVEL:
        raise invalid_audio(
            f"The file has samples of {max(highest, -lowest):.3g} after {start_s:.1f} s, but full scale is 1. Export "
            "it with the usual scale."
        )


def _sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
