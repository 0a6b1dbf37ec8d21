"""Answer analyze_timbre."""

from typing import Any

from consort_audio.analysis.timbre.measure import Timbre, measure_timbre
from consort_audio.signals.recording import Recording

ENOUGH_S = 3.0
"""The seconds of sound from which the confidence is 1."""
_METHOD = "spectra of 186 ms windows, level of 12 ms windows"
_REFERENCE = (
    "There is no right timbre: compare takes of one instrument. Horn, cello and harp have a brightness of 0.3 to 0.5, "
    "flute, piano and clarinet 0.5 to 0.65, trumpet and violin 0.7 to 0.8. A clear tone has harmonic_ratio above 0.85. "
    "Plucked and struck notes have attack_time under 0.03 s, blown and bowed ones 0.03 to 0.25 s."
)


def answer(recording: Recording, options: dict[str, Any]) -> dict[str, Any]:
    """Return the measures of the tone, and what they mean in words."""
    found = measure_timbre(recording)
    common = {"method": _METHOD, "reference": _REFERENCE}
    if found is None:
        measures = ("brightness", "warmth", "attack_time", "spectral_centroid", "harmonic_ratio")
        return {**dict.fromkeys(measures), "description": "Nothing sounds.", "confidence": 0.0, **common}
    return {
        "brightness": round(found.brightness, 2),
        "warmth": round(found.warmth, 2),
        "attack_time": None if found.attack_time is None else round(found.attack_time, 3),
        "spectral_centroid": round(found.spectral_centroid, 1),
        "harmonic_ratio": round(found.harmonic_ratio, 2),
        "description": _description(found),
        "confidence": round(min(1.0, found.sounding_s / ENOUGH_S), 2),
        **common,
    }


def _description(found: Timbre) -> str:
    words = [
        _word(found.brightness, ((0.35, "Dark"), (0.5, "Soft"), (0.65, "Balanced"), (0.8, "Bright"), (2, "Sharp")))
    ]
    words.append(_word(found.harmonic_ratio, ((0.3, "noisy"), (0.65, "rough"), (0.85, "fairly clear"), (2, "clear"))))
    text = f"{words[0]} and {words[1]} tone"
    if found.attack_time is None:
        return text + "."
    attack = _word(found.attack_time, ((0.03, "a hard"), (0.08, "a firm"), (0.2, "a soft"), (99, "a slow")))
    return f"{text} with {attack} attack."


def _word(value: float, steps: tuple[tuple[float, str], ...]) -> str:
    return next(word for limit, word in steps if value < limit)
