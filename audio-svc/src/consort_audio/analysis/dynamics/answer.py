"""Answer analyze_dynamics."""

from typing import Any

from consort_audio.analysis.dynamics.measure import measure_dynamics
from consort_audio.analysis.known_bars import KnownBars
from consort_audio.signals.recording import Recording

ENOUGH_S = 3.0
"""The seconds of sound from which the confidence is 1."""
_METHOD = "ITU-R BS.1770-4 loudness of all channels"
_REFERENCE = (
    "A finished recording has about -14 to -18 LUFS, a raw take -30 to -16; below -40 the microphone was too far or "
    "too low. An expressive solo spans 8 to 20 dB, an even exercise less than 6. There should be no clipping."
)


def answer(recording: Recording, options: dict[str, Any]) -> dict[str, Any]:
    """Return loudness, range, peaks, swells and clipping."""
    found = measure_dynamics(recording)
    bars = KnownBars(recording)
    return {
        "average_loudness": None if found.average_loudness is None else round(found.average_loudness, 1),
        "dynamic_range": round(found.dynamic_range, 1),
        "peaks": [
            {"time": round(peak.time, 2), "amplitude": round(peak.amplitude, 1), **bars.bar_and_beat(peak.time)}
            for peak in found.peaks
        ],
        "is_consistent": found.is_consistent,
        "changes": [
            {
                "kind": "crescendo" if swell.change_db > 0 else "diminuendo",
                "start": round(swell.start, 1),
                "end": round(swell.end, 1),
                "change_db": round(swell.change_db, 1),
                **bars.bar(swell.start),
            }
            for swell in found.swells
        ],
        "problems": [
            {"kind": "clipping", "start": round(span.start, 1), "end": round(span.end, 1), "severity": span.severity}
            for span in found.clipping
        ],
        "confidence": round(min(1.0, found.sounding_s / ENOUGH_S), 2),
        "method": _METHOD,
        "reference": _REFERENCE,
    }
