"""Measure a rendered loop in nine figures.

Loudness is that of analyze_dynamics, brightness the `spectral_centroid` of analyze_timbre, and onsets are those of
analyze_rhythm, as `rendered_onsets` reads them; `stereo` and `swing` have the other formulas. Onsets count within the
music: the tail has none.
"""

from typing import NamedTuple

from consort_audio.analysis.sound_measures.rendered_onsets import rendered_onsets
from consort_audio.analysis.sound_measures.stereo import balances, hit_range, width_of
from consort_audio.analysis.sound_measures.swing import swing_of
from consort_audio.analysis.timbre.measure import measure_timbre
from consort_audio.codecs.loudness import gated_loudness
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.recording import Recording

_BEFORE_FIRST_S = 0.05
"""An onset may be found a little too early, before the music ends."""


class SoundMeasures(NamedTuple):
    loudness: float
    """In LUFS."""
    brightness: float
    """The spectral centroid in Hz."""
    low_balance: float
    """In dB, as the next two."""
    mid_balance: float
    high_balance: float
    width: float
    """From 0 to 1."""
    onset_density: float
    """Onsets a second."""
    swing: float
    """The amount of `swingBy`."""
    dynamic_range: float
    """In dB."""


def measure_sound(recording: Recording, stereo: Numbers, music_s: float, beat_s: float) -> SoundMeasures | None:
    """Return the measures of a loop that begins with a beat and lasts `music_s` without its tail; None if silent."""
    loudness = gated_loudness(recording.levels.powers)
    timbre = measure_timbre(recording)
    if loudness is None or timbre is None:
        return None
    onsets = [time for time in rendered_onsets(recording) if time < music_s - _BEFORE_FIRST_S]
    low, middle, high = balances(stereo)
    return SoundMeasures(
        loudness=loudness,
        brightness=timbre.spectral_centroid,
        low_balance=low,
        mid_balance=middle,
        high_balance=high,
        width=width_of(stereo),
        onset_density=len(onsets) / music_s,
        swing=swing_of(onsets, beat_s),
        dynamic_range=hit_range(stereo),
    )
