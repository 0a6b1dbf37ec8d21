"""Answer analyze_tempo.

- `bpm`: of a steady recording, the slope of the line through its beats; otherwise 60 / median time between beats.
- `confidence`: the calibrated probability that `bpm` is within 4% of the truth: see `readings`.
- `is_steady`, `tempo_changes`: see `tempo_segments`. The first change is the start.
- `steadiness`: 1 - 10 · (relative standard deviation of the tempo over four beats), at least 0: a deviation of 1% gives
  0.9.
- `bpm_alternatives`: the tempos of the other readings that are not much less probable: see `readings`.
"""

from typing import Any

import numpy as np

from consort_audio.analysis.tempo.tempo_segments import is_steady, spread, tempo_parts
from consort_audio.analysis.tempo.track import BeatTrack, track_beats
from consort_audio.signals.recording import Recording

MOST_CHANGES = 20
REFERENCE = (
    "A steady player has is_steady true and steadiness of 0.85 or more. A confidence below 0.5 means that bpm is a "
    "guess: give bpm_hint, or choose from bpm_alternatives."
)


def answer(recording: Recording, options: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of analyze_tempo."""
    track = track_beats(recording, options.get("bpm_hint"))
    found: dict[str, Any] = {
        "confidence": round(track.confidence, 2),
        "tempo_changes": [],
        "bpm_alternatives": [round(bpm, 1) for bpm in track.alternatives],
        "beat_count": len(track.beats),
        "method": track.method,
        "reference": REFERENCE,
    }
    if track.bpm is None:
        return found
    beats = np.array(track.beats)
    parts = tempo_parts(beats)
    changes = [{"time": round(track.beats[part.first], 2), "bpm": round(part.bpm, 1)} for part in parts]
    changes[0]["time"] = 0.0
    for change in changes:
        if place := track.position(change["time"] + 0.01):
            change["bar"] = max(1, place[0])
    found |= {
        "bpm": round(track.bpm, 1),
        "is_steady": is_steady(beats, parts),
        "tempo_changes": changes[:MOST_CHANGES],
        "steadiness": round(max(0.0, 1 - 10 * spread(beats)), 2),
        **_bars(track),
    }
    if len(changes) > MOST_CHANGES:
        found["tempo_change_count"] = len(changes)
    if options.get("include_beats"):
        found["beats"] = [round(time, 3) for time in track.beats]
        found["downbeats"] = [round(time, 3) for time in track.downbeats]
    return found


def _bars(track: BeatTrack) -> dict[str, Any]:
    if not track.downbeats:
        return {}
    return {
        "beats_per_bar": track.beats_per_bar,
        "metre_confidence": round(track.metre_confidence, 2),
        "first_downbeat": round(track.downbeats[0], 2),
    }
