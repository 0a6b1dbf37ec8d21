"""Answer detect_key."""

from itertools import pairwise
from typing import Any

from consort_audio.analysis.key.changes import find_key_sections, main_key
from consort_audio.analysis.known_bars import KnownBars
from consort_audio.signals.recording import Recording
from consort_audio.signals.tuning import tuning_of

_REFERENCE = (
    "Above 0.8 the key is safe. A relative key (A minor for C major) or a fifth apart is the usual confusion: see "
    "alternatives. Recordings under 8 s, and music without a tonal centre, have low confidence."
)


def answer(recording: Recording, options: dict[str, Any]) -> dict[str, Any]:
    """Return the key with its alternatives and changes."""
    found = main_key(recording)
    key = found.key
    bars = KnownBars(recording)
    return {
        "key": key.name if key else None,
        "confidence": round(found.confidence, 2),
        "mode": key.mode if key else None,
        "tonic": key.tonic_name if key else None,
        "alternatives": [
            {"key": other.key.name, "confidence": round(other.probability, 2)} for other in found.alternatives
        ],
        "key_changes": [
            {
                "time": round(after.start, 1),
                "from_key": before.key.name,
                "key": after.key.name,
                **bars.bar(after.start),
            }
            for before, after in pairwise(find_key_sections(recording))
        ],
        "tuning_cents": round(100 * tuning_of(recording), 0) + 0.0,
        "method": found.method,
        "reference": _REFERENCE,
    }
