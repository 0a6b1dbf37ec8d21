"""Cut a part out of an audio file, exact to the sample, with optional fades."""

from pathlib import Path

import numpy as np

from consort_audio.codecs.audio_errors import no_samples
from consort_audio.codecs.decoding import open_audio
from consort_audio.codecs.encoding import depth_for, open_writer
from consort_audio.codecs.facts import AudioFacts
from consort_audio.codecs.inspect_audio import facts_of
from consort_audio.codecs.loudness import LoudnessMeter
from consort_audio.codecs.samples import Samples


def cut(source: Path, target: Path, start: int, end: int, fade_in: int = 0, fade_out: int = 0) -> AudioFacts:
    """Write the frames from `start` up to, but not including, `end` to a new file, and return the facts about it.

    The result is lossless: wav if the source is wav, otherwise flac. Both fades are numbers of frames; they are linear:
    the first frame of a fade-in and the last frame of a fade-out are zero.
    """
    with open_audio(source) as audio:
        audio_format = "wav" if audio.format == "wav" else "flac"
        depth = depth_for(audio, audio_format)
        wanted, meter = end - start, LoudnessMeter(audio.sample_rate, audio.channels)
        with open_writer(target, audio_format, audio.sample_rate, audio.channels, depth) as writer:
            for block in audio.blocks(start):
                part = block[: wanted - writer.frames]
                gains = _gains(writer.frames, len(part), wanted, fade_in, fade_out)
                faded = part if gains is None else part * gains
                writer.write(faded)
                meter.add(faded if depth == "FLOAT" else np.clip(faded, -1, 1))  # as they are written
                if writer.frames == wanted:
                    break
        if not writer.frames:
            raise no_samples()
        return facts_of(target, audio_format, audio, writer.frames, meter)


def _gains(position: int, count: int, total: int, fade_in: int, fade_out: int) -> Samples | None:
    """Return the factor of each of `count` frames from `position` on, or None if all are 1."""
    if position >= fade_in and position + count <= total - fade_out:
        return None
    frames = np.arange(position, position + count, dtype=np.float64)
    gains = np.ones(count)
    if fade_in:
        gains *= np.minimum(frames / fade_in, 1)
    if fade_out:
        gains *= np.minimum((total - 1 - frames) / fade_out, 1)
    return gains.astype(np.float32)[:, None]
