"""The two passes of a render: synthesize to a temporary file and measure, then set the level and encode.

The gain of the second pass brings the sound to the wanted loudness (ITU-R BS.1770-4). Short peaks that would exceed the
ceiling are turned down by a limiter, by MAX_LIMITING_DB at most; if that is not enough, the gain is smaller. So nothing
is clipped.
"""

import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np

from consort_audio.codecs.encoding import open_writer
from consort_audio.codecs.limiter import limited_blocks
from consort_audio.codecs.loudness import LoudnessMeter
from consort_audio.codecs.samples import Samples
from consort_audio.synthesis.render_options import CEILING_DB, RenderOptions, RenderOutcome
from consort_audio.synthesis.soundfont_renderer import SOUND_CHANNELS, SoundfontRenderer
from consort_audio.synthesis.timed_messages import Performance
from consort_music.errors import MusicError

_SYNTHESIS_SHARE = 0.8
"""The part of the work that the first pass is."""
_FADE_S, _SHORTEST_FADE_S = 0.5, 0.01
"""The end of the tail is faded out, so that a sound that is still there does not end with a click."""
_BYTES_PER_FRAME = SOUND_CHANNELS * np.dtype(np.float32).itemsize
_ROUNDING = 1 / 32768
"""How much a sample can grow when it is written with 16 bits."""
MAX_LIMITING_DB = 6.0
"""How much a peak may be turned down. More would be heard."""
_REACHED_LU = 0.5
"""A loudness that differs by less from the wanted one counts as reached."""

OnRenderProgress = Callable[[float], None]


def render(
    performance: Performance, options: RenderOptions, renderer: SoundfontRenderer, report: OnRenderProgress
) -> RenderOutcome:
    """Render a performance to the file that the options name."""
    frames = max(1, round((performance.seconds + options.tail_s) * options.sample_rate))
    output = Path(options.output)
    with tempfile.TemporaryFile(dir=output.parent) as raw:
        meter = LoudnessMeter(options.sample_rate, SOUND_CHANNELS)
        synth = renderer.start(options.sample_rate, options.reverb)
        try:
            done = 0
            for block in synth.blocks(performance, frames):
                raw.write(block.data)
                meter.add(block)
                done += len(block)
                report(_SYNTHESIS_SHARE * done / frames)
        finally:
            synth.close()
        final = _encode(raw, frames, _gain_db(meter, options.loudness), options, report)
    loudness, peak_db = final.loudness(), final.peak_db()
    return RenderOutcome(
        duration_s=frames / options.sample_rate,
        loudness=None if loudness is None else round(loudness, 2),
        peak_db=None if peak_db is None else round(peak_db, 2),
        programs=sorted(synth.programs_heard),
        has_drums=synth.are_drums_heard,
        warnings=[*performance.warnings, *_level_warnings(peak_db, loudness, options.loudness, performance.has_notes)],
    )


def _gain_db(meter: LoudnessMeter, target: float | None) -> float:
    """Return the gain for the target, as far as the limiter can keep the peaks below the ceiling.

    Sound that is silent or too short to measure gets no gain.
    """
    loudness, peak_db = meter.loudness(), meter.peak_db()
    if peak_db is None:
        return 0.0
    wanted = 0.0 if target is None or loudness is None else target - loudness
    return min(wanted, CEILING_DB + MAX_LIMITING_DB - peak_db)


def _level_warnings(peak_db: float | None, reached: float | None, target: float | None, has_notes: bool) -> list[str]:
    if peak_db is None and not has_notes:
        return []  # the performance has warned
    if peak_db is None:
        return ["The sound is silent: no note is heard. Look at mute, solo, the bars and the volumes in the file."]
    if target is None or reached is None or abs(reached - target) < _REACHED_LU:
        return []
    return [
        f"The loudness is {reached:.1f} LUFS instead of {target:g}: more would clip, because the music has very loud "
        f"peaks. For equal levels give 'loudness' {math.floor(reached):g} or less to all renders."
    ]


def _encode(
    raw: IO[bytes], frames: int, gain_db: float, options: RenderOptions, report: OnRenderProgress
) -> LoudnessMeter:
    """Write the sound with this gain, limited and faded out, and return the meter of what was written."""

    def read(first: int, end: int) -> Samples:
        raw.seek(first * _BYTES_PER_FRAME)
        data = raw.read((end - first) * _BYTES_PER_FRAME)
        return np.frombuffer(data, np.float32).reshape(-1, SOUND_CHANNELS)

    gain, ceiling = 10 ** (gain_db / 20), 10 ** (CEILING_DB / 20) - _ROUNDING
    fade_s = max(_SHORTEST_FADE_S, min(_FADE_S, options.tail_s / 2))
    fade_frames = min(frames, max(1, round(fade_s * options.sample_rate)))
    meter = LoudnessMeter(options.sample_rate, SOUND_CHANNELS)
    done = 0
    with open_writer(Path(options.output), options.format, options.sample_rate, SOUND_CHANNELS) as writer:
        for block in limited_blocks(read, frames, gain, ceiling, options.sample_rate):
            _fade_out(block, done, frames, fade_frames)
            meter.add(block)
            writer.write(block)
            done += len(block)
            _check_size(options)
            report(_SYNTHESIS_SHARE + (1 - _SYNTHESIS_SHARE) * done / frames)
    _check_size(options)
    return meter


def _check_size(options: RenderOptions) -> None:
    """Raise MusicError if the file is too large. How well a format compresses the sound is not known before."""
    if Path(options.output).stat().st_size > options.max_bytes:
        raise MusicError(
            "TOO_LARGE",
            f"This sound as {options.format.upper()} file has more than {options.max_bytes:,} bytes, which is the "
            "limit. Give 'first_bar' and 'last_bar' to render a part, a lower 'sample_rate', or format: \"mp3\".",
            ["format: mp3", "sample_rate: 44100", "first_bar: 1, last_bar: 64"],
            "format",
        )


def _fade_out(block: Samples, start: int, frames: int, fade_frames: int) -> None:
    """Multiply the last `fade_frames` of the sound by a falling half cosine. The block begins at frame `start`."""
    first = max(frames - fade_frames, start)
    if first >= start + len(block):
        return
    left = frames - np.arange(first, start + len(block))
    block[first - start :] *= (0.5 - 0.5 * np.cos(np.pi * left / (fade_frames + 1))).astype(np.float32)[:, None]
