"""Tell music from speech, drums and noise, to hear no notes where nobody played or sang any.

In music the pitch rests on notes that lie on one grid of semitones, and the harmonics of these notes are most of the
sound. FEATURES of the segments of a recording, weighted by duration:

- glide: by how many semitones the means of the first and last third of a segment differ, at most 1
- grid: how well the mean pitches lie on one grid of semitones (the length of their circular mean, 0 to 1)
- certainty: the model's probability of a voice
- harmonics: the power of the harmonics in the power of the sound at the start of the segments, in dB
- share: the share of the sound's power that is in segments; louder frames than nearly all of these count as they do

A logistic regression on them was fitted on tunes, recorded notes, singing with scoops, vibrato and drift, speech in
twelve languages, drums and recorded percussion.
"""

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.calibration import logistic
from consort_audio.analysis.pitch.notes.harmonic_level import frame_of, harmonic_levels
from consort_audio.analysis.pitch.notes.note_starts import Segment
from consort_audio.analysis.pitch.track.pitch_track import PitchTrack
from consort_audio.analysis.pitch.track.tuning_drift import TuningLine
from consort_audio.signals.onset_strength import onset_strength
from consort_audio.signals.recording import Recording

FEATURES = ("glide", "grid", "certainty", "harmonics", "share")
WEIGHTS = np.array([-16.44, 6.43, 14.69, 0.79, 14.39])
BIAS = -23.55
FEWEST_SEGMENTS = 4
"""With fewer, glide and grid say nothing."""
MUSIC_FROM, NOTHING_BELOW = 0.35, 0.15
"""Probabilities of music."""
FEW_FROM, FEW_BELOW = 0.55, 0.3
"""The same for fewer than `FEWEST_SEGMENTS`, as in one stroke of a drum: there less is known."""
_NOTHING_KNOWN = (0.0, 1.0)
LEAST_TRUST = 0.2
SHORTEST_S = 0.06
_FRAMES = 24
"""Frames of harmonics at the start of a segment: 0.16 s."""
_SILENT_DB = -80.0
_TINY = 1e-9


def music_trust(
    recording: Recording, segments: list[Segment], track: PitchTrack, pitch: NDArray[np.float32], tuning: TuningLine
) -> float:
    """Return a factor for the confidence of all notes: 1 for music, down to 0.2 for other sounds."""
    features = music_features(recording, segments, track, pitch, tuning)
    if features is None:
        return 1.0
    music = logistic(features @ WEIGHTS + BIAS)
    are_few = (features[0], features[1]) == _NOTHING_KNOWN
    limits = (FEW_BELOW, FEW_FROM) if are_few else (NOTHING_BELOW, MUSIC_FROM)
    return float(np.interp(music, limits, (LEAST_TRUST, 1.0)))


def music_features(
    recording: Recording, segments: list[Segment], track: PitchTrack, pitch: NDArray[np.float32], tuning: TuningLine
) -> NDArray[np.float64] | None:
    """Return the FEATURES of a recording, or None if it has no segment that is long enough."""
    segments = [segment for segment in segments if segment.end_s - segment.start_s >= SHORTEST_S]
    inside = pitch > 0
    if not segments or not inside.any():
        return None
    certainty = np.where(track.model_weight > 0, track.model_weight, track.yin_weight)[inside].mean()
    loud = float(np.percentile(track.level[inside], 95))
    power = np.where(track.level > _SILENT_DB, 10 ** (np.minimum(track.level, loud) / 10), 0)
    share = power[inside].sum() / max(power.sum(), _TINY)
    return np.array([*_glide_and_grid(segments, pitch, tuning), certainty, _harmonics_db(recording, segments), share])


def _glide_and_grid(segments: list[Segment], pitch: NDArray[np.float32], tuning: TuningLine) -> tuple[float, float]:
    frames, glides, means = [], [], []
    for segment in segments:
        heard = pitch[segment.first + 1 : segment.end - 1]
        if len(heard) >= 4:
            third = max(len(heard) // 3, 1)
            frames.append(len(heard))
            glides.append(min(abs(float(heard[-third:].mean() - heard[:third].mean())), 1.0))
            means.append(float(heard.mean()) - tuning.drifted(segment.start_s))
    if len(frames) < FEWEST_SEGMENTS:
        return _NOTHING_KNOWN
    grid = np.abs(np.average(np.exp(2j * np.pi * np.array(means)), weights=np.sqrt(frames)))
    return float(np.average(glides, weights=frames)), float(grid)


def _harmonics_db(recording: Recording, segments: list[Segment]) -> float:
    levels = onset_strength(recording).level
    harmonics = total = _TINY
    for segment in segments:
        first = frame_of(segment.start_s)
        end = max(min(frame_of(segment.end_s), first + _FRAMES), first + 3)
        sound = levels[first:end]
        found = harmonic_levels(recording, segment.pitch, None, first, end)[: len(sound)]
        harmonics += float(np.square(found).sum()) / 2
        total += float(np.square(sound).sum())
    return float(10 * np.log10(harmonics / total))
