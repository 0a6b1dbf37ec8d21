"""Convert an audio file to wav, flac, ogg or mp3.

Only MP3 may need another sample rate or fewer channels than the source; FFmpeg's resampler makes them. It adds channels
up, so that the mix is turned down as far as is needed not to exceed the level of the source.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from av import AudioFrame, AudioResampler

from consort_audio.codecs.decoding import AudioReader, open_audio
from consort_audio.codecs.encoding import depth_for, open_writer
from consort_audio.codecs.formats import MP3_MAX_CHANNELS, MP3_SAMPLE_RATES
from consort_audio.codecs.samples import Samples

_LAYOUTS = {1: "mono", 2: "stereo", 3: "2.1", 4: "4.0", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"}
"""FFmpeg's names for the usual arrangement of 1 to 8 channels."""


def convert(source: Path, target: Path, audio_format: str) -> None:
    with open_audio(source) as audio:
        sample_rate, channels = _shape_for(audio, audio_format)
        blocks = audio.blocks()
        if (sample_rate, channels) != (audio.sample_rate, audio.channels):
            blocks = _resampled(blocks, audio.sample_rate, audio.channels, sample_rate, channels)
        with open_writer(target, audio_format, sample_rate, channels, depth_for(audio, audio_format)) as writer:
            for block in blocks:
                writer.write(block)


def _shape_for(audio: AudioReader, audio_format: str) -> tuple[int, int]:
    """Return the sample rate and the number of channels that the format allows, as near to the source as possible."""
    if audio_format != "mp3":
        return audio.sample_rate, audio.channels
    higher = [rate for rate in MP3_SAMPLE_RATES if rate >= audio.sample_rate]
    return min(higher, default=MP3_SAMPLE_RATES[-1]), min(audio.channels, MP3_MAX_CHANNELS)


def _resampled(
    blocks: Iterable[Samples], given_rate: int, given_channels: int, sample_rate: int, channels: int
) -> Iterator[Samples]:
    """Yield the blocks with another sample rate and number of channels, at most as loud as before."""
    mixed = _mixed(blocks, given_rate, given_channels, sample_rate, channels)
    if channels == given_channels:
        return mixed
    equal = np.ones((1000, given_channels), np.float32)
    raised = max(float(block.max()) for block in _mixed([equal], given_rate, given_channels, given_rate, channels))
    return (block / max(1, raised) for block in mixed)


def _mixed(
    blocks: Iterable[Samples], given_rate: int, given_channels: int, sample_rate: int, channels: int
) -> Iterator[Samples]:
    resampler = AudioResampler(format="flt", layout=_LAYOUTS[channels], rate=sample_rate)
    for block in blocks:
        frame = AudioFrame.from_ndarray(
            np.ascontiguousarray(block).reshape(1, -1), format="flt", layout=_LAYOUTS[given_channels]
        )
        frame.sample_rate = given_rate
        for out in resampler.resample(frame):
            yield _samples(out, channels)
    for out in resampler.resample(None):
        yield _samples(out, channels)


def _samples(frame: AudioFrame, channels: int) -> Samples:
    return np.asarray(frame.to_ndarray(), np.float32).reshape(-1, channels)
