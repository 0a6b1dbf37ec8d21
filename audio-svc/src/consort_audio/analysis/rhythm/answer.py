"""Answer analyze_rhythm. Deviations are measured from the player's own beat: see `grid`.

- `timing_accuracy`: the mean over onsets of 1 - (|deviation| - 10 ms) / 90 ms, within 0..1: 10 ms or less is perfect,
  100 ms or more is worth nothing. Onsets count by their confidence.
- `is_on_beat`: at least 80% of the onsets are within 40 ms, and within 1/12 of a beat, of the grid.
- `beat_deviations`: onsets with a confidence of at least 0.5 that are 40 ms or more off (minor), 60 ms (moderate),
  100 ms (major).
- `mean_deviation_ms`: the mean deviation of onsets on whole beats from the grid of all onsets.
- `rhythmic_pattern`: see `note_values`.
- `confidence`: that of the beat, times the mean confidence of the onsets.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from consort_audio.analysis.confidence_limits import SURE
from consort_audio.analysis.rhythm.grid import GridPlaces, place_onsets
from consort_audio.analysis.rhythm.note_values import pattern_text
from consort_audio.analysis.rhythm.onsets import Onset, find_onsets
from consort_audio.analysis.tempo.track import BeatTrack, track_beats
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND, onset_strength
from consort_audio.signals.recording import Recording

MOST_ONSETS = 64
MOST_DEVIATIONS = 20
PERFECT_S, WORTHLESS_S = 0.01, 0.1
ON_BEAT_S, ON_BEAT_BEATS, ON_BEAT_SHARE = 0.04, 1 / 12, 0.8
SEVERITIES = ((0.1, "major"), (0.06, "moderate"), (0.04, "minor"))
"""From this many seconds on."""
CERTAIN = 0.5
_LARGEST_DENOMINATOR = 6
_DIED_AWAY = 0.1
"""The level, relative to the peak of the last note, at which it has ended (-20 dB)."""
REFERENCE = (
    "A good player has timing_accuracy of 0.9 or more, is_on_beat true, and no deviation above 40 ms; listeners notice "
    "about 30 ms. Below 0.5, confidence means that the beat is a guess: give bpm_hint."
)


def answer(recording: Recording, options: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of analyze_rhythm."""
    onsets = find_onsets(recording)
    track = track_beats(recording, options.get("bpm_hint"))
    shown = onsets if options.get("include_onsets") else onsets[:MOST_ONSETS]
    found: dict[str, Any] = {
        "onsets": [
            {"time": round(each.time, 3), "confidence": round(each.confidence, 2), "attack": each.attack}
            for each in shown
        ],
        "onset_count": len(onsets),
        "confidence": 0.0,
        "beat_deviations": [],
        "beat_deviation_count": 0,
        "method": track.method,
        "reference": REFERENCE,
    }
    if track.bpm is None or len(onsets) < 2:
        return found
    certainty = np.array([each.confidence for each in onsets])
    places = place_onsets(np.array([each.time for each in onsets]), np.array(track.beats))
    deviations = _deviations(onsets, places, track)
    pattern, repeats = pattern_text(_lengths(recording, onsets, places, track))
    found |= {
        "confidence": round(track.confidence * float(certainty.mean()), 2),
        "timing_accuracy": round(timing_accuracy(places.deviations, certainty), 2),
        "rhythmic_pattern": pattern,
        "is_on_beat": is_on_beat(places),
        "beat_deviations": deviations[:MOST_DEVIATIONS],
        "beat_deviation_count": len(deviations),
        "mean_deviation_ms": _mean_on_beats(places, certainty),
        "bpm": round(track.bpm, 1),
    }
    if repeats > 1:
        found["pattern_repeats"] = repeats
    if min(track.confidence, track.metre_confidence) >= SURE:
        for one, position in zip(found["onsets"], places.positions, strict=False):
            one |= _bar_and_beat(track, float(position))
    return found


def timing_accuracy(deviations: Numbers, weights: Numbers) -> float:
    """Return the score of deviations in seconds, from 0 to 1."""
    scores = np.clip(1 - (np.abs(deviations) - PERFECT_S) / (WORTHLESS_S - PERFECT_S), 0, 1)
    return float((scores * weights).sum() / max(weights.sum(), 1e-9))


def is_on_beat(places: GridPlaces) -> bool:
    """Say whether most onsets are near the grid."""
    limits = np.minimum(ON_BEAT_S, ON_BEAT_BEATS * places.seconds_per_beat)
    return bool(np.mean(np.abs(places.deviations) <= limits) >= ON_BEAT_SHARE)


def _deviations(onsets: list[Onset], places: GridPlaces, track: BeatTrack) -> list[dict[str, Any]]:
    """Return the onsets that are notably early or late, the worst first."""
    found = []
    order = np.argsort(-np.abs(places.deviations))
    for index in order.tolist():
        size = abs(places.deviations[index])
        severity = next((name for least, name in SEVERITIES if size >= least), None)
        if severity is None or onsets[index].confidence < CERTAIN:
            continue
        one: dict[str, Any] = {
            "time": round(onsets[index].time, 3),
            "deviation_ms": round(1000 * places.deviations[index]),
            "severity": severity,
        }
        found.append(one | _bar_and_beat(track, float(places.positions[index])))
    return found


def _bar_and_beat(track: BeatTrack, position: float) -> dict[str, float]:
    place = track.place(position)
    return {"bar": place[0], "beat": round(place[1], 2)} if place else {}


def _mean_on_beats(places: GridPlaces, weights: Numbers) -> float | None:
    on_beat = np.abs(places.positions - np.round(places.positions)) < 1e-6
    if not on_beat.any():
        return None
    mean = (places.deviations[on_beat] * weights[on_beat]).sum() / max(weights[on_beat].sum(), 1e-9)
    return round(1000 * float(mean), 1)


def _lengths(recording: Recording, onsets: list[Onset], places: GridPlaces, track: BeatTrack) -> list[Fraction]:
    """Return the lengths of the notes in beats: until the next onset, and of the last one as long as it sounds."""
    exact = [Fraction(float(place)).limit_denominator(_LARGEST_DENOMINATOR) for place in places.positions]
    lengths = [after - before for before, after in pairwise(exact) if after > before]
    level = onset_strength(recording).level[round(onsets[-1].time * FRAMES_PER_SECOND) :]
    heard = np.flatnonzero(level > _DIED_AWAY * level.max()) if len(level) else np.zeros(1)
    sounding = (float(heard[-1]) + 1) / FRAMES_PER_SECOND / float(places.seconds_per_beat[-1])
    place = track.place(float(exact[-1]))
    most = 4.0 if place is None or track.beats_per_bar is None else track.beats_per_bar + 1 - place[1]
    last = Fraction(max(1, round(2 * min(sounding, most))), 2)
    return [*lengths, last]
