"""The pitch of one voice over time: the swift-f0 model between 47 and 2,090 Hz, YIN below and as the plain method.

Every 16 ms a frame has two opinions about its pitch, one of the model and one of YIN, each with a weight. They stay
apart until `note_path` has chosen the notes, because where they differ (often by an octave) the notes around decide.
The model's frequencies are up to 10 cents wrong, so they are made exact by the difference function of YIN. Its octaves
are checked against the spectrum (`partials`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.track.partials import look_at_partials
from consort_audio.analysis.pitch.track.yin import HOP, PITCH_RATE, yin_frames
from consort_audio.neural.voice_pitch import HIGHEST_HZ, LOWEST_HZ, voice_pitch
from consort_audio.signals.arrays import Floats
from consort_audio.signals.recording import Recording

FRAME_S = HOP / PITCH_RATE
"""Seconds between frames. Frame k is centred at k * FRAME_S."""
QUIET_DB = -65.0
"""Frames below this level (dB below full scale, RMS) are silent."""
QUIET_BELOW_LOUD_DB = 50.0
"""Frames so far below the loudest are silent too."""
_HOPS_AT_ONCE = 2048


@dataclass(frozen=True)
class PitchTrack:
    """One value per frame."""

    model: Floats
    """The model's pitch as a MIDI number with a fraction."""
    model_weight: Floats
    """The model's probability of a voice, from 0 to 1."""
    yin: Floats
    """YIN's pitch as a MIDI number with a fraction."""
    yin_weight: Floats
    """1 if YIN finds the frame periodic, 0 in noise."""
    level: Floats
    """RMS of 32 ms around the frame, in dB below full scale."""
    sounding: NDArray[np.bool_]
    """Whether the level is high enough to hear something."""
    method: str

    @property
    def times(self) -> NDArray[np.float64]:
        return np.arange(len(self.level), dtype=np.float64) * FRAME_S


def track_pitch(recording: Recording) -> PitchTrack:
    """Return the pitch track of a recording, which is computed once."""
    return recording.feature("pitch track", _track)


def to_midi(frequency: Floats) -> Floats:
    return (69 + 12 * np.log2(np.maximum(frequency, 1) / 440)).astype(np.float32)


def to_hz(pitch: float) -> float:
    return float(440 * 2 ** ((pitch - 69) / 12))


def _track(recording: Recording) -> PitchTrack:
    samples = recording.at_rate(PITCH_RATE)
    offset = float(samples.mean()) if len(samples) else 0.0
    count = len(samples) // HOP + 1
    level = _levels(samples, count, offset)
    loudest = float(np.percentile(level, 99)) if count else 0.0
    sounding = level > max(QUIET_DB, loudest - QUIET_BELOW_LOUD_DB)
    heard = voice_pitch(recording)
    frequency, probability = np.zeros(count, np.float32), np.zeros(count, np.float32)
    if heard is not None:
        frequency[: len(heard.hz)], probability[: len(heard.hz)] = heard.hz, heard.confidence
    partials = look_at_partials(samples, sounding, frequency, offset)
    yin = yin_frames(samples, partials.frequency, offset)
    yin_frequency = yin.frequency.copy()
    yin_weight = np.clip(1 - yin.aperiodicity / 0.4, 0, 1)
    model_weight = np.where(sounding, probability, 0)
    model = to_midi(yin.exact)
    yin_frequency[partials.high_frames] = partials.high_frequency
    yin_weight[partials.high_frames] = 1
    outside = (yin_weight > 0.5) & ((yin_frequency < LOWEST_HZ) | (yin_frequency > 0.98 * HIGHEST_HZ))
    model_weight = np.where(outside, 0, model_weight)
    return PitchTrack(
        model=model,
        model_weight=model_weight.astype(np.float32),
        yin=to_midi(yin_frequency),
        yin_weight=np.where(sounding, yin_weight, 0).astype(np.float32),
        level=level,
        sounding=sounding,
        method="swift-f0 with YIN" if heard is not None else "YIN",
    )


def _levels(samples: Floats, count: int, offset: float) -> Floats:
    power = np.zeros(count + 1)
    whole = len(samples) // HOP
    hops = samples[: whole * HOP].reshape(whole, HOP)
    for first in range(0, whole, _HOPS_AT_ONCE):
        part = hops[first : first + _HOPS_AT_ONCE].astype(np.float64) - offset
        power[1 + first : 1 + first + len(part)] = np.einsum("ij,ij->i", part, part)
    mean = (power[:-1] + power[1:]) / (2 * HOP)
    return (10 * np.log10(mean + 1e-12)).astype(np.float32)
