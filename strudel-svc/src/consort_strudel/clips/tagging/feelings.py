"""What a clip probably feels like: mode, register, density, brightness and effects decide."""

from consort_strudel.clips.tagging.clip_reading import ClipReading
from consort_strudel.clips.tagging.vocabularies import ClipElement

_BUSY = 9.0
_SPARSE = 1.2
"""Onsets a second."""
_DARK_CUTOFF = 900
_MOST = 3


def feelings_of(reading: ClipReading, element: ClipElement, techniques: list[str], key: str | None) -> list[str]:
    """Return at most three feelings, the clearest first."""
    if not reading.voices:
        return []
    whole = reading.whole
    mode = (key or "").partition(" ")[2]
    is_minor = mode in ("minor", "aeolian", "phrygian", "dorian", "harmonic minor", "melodic minor", "locrian")
    is_major = mode in ("major", "ionian", "lydian", "mixolydian", "major pentatonic")
    is_dark = (is_minor and (whole.register or 60) < 55) or 0 < whole.largest("cutoff") <= _DARK_CUTOFF
    is_hard = whole.largest("distort") >= 1 or whole.largest("shape") >= 0.5
    is_wet = whole.largest("room") >= 0.5 or whole.largest("delay") >= 0.4
    is_quick = whole.density >= _BUSY
    is_slow = whole.density <= _SPARSE
    found = {
        "aggressive": is_hard,
        "dark": is_dark,
        "dreamy": is_wet and element != "rhythm" and not is_hard,
        "groovy": element in ("rhythm", "bass") and bool({"swing", "syncopation", "ghost notes"} & set(techniques)),
        "driving": "four-on-the-floor" in techniques or (element == "bass" and whole.density >= 4),
        "calm": is_slow and element != "rhythm" and not is_hard,
        "happy": is_major and not is_slow,
        "melancholic": is_minor and not is_quick and element in ("melody", "harmony"),
        "energetic": is_quick and element in ("rhythm", "melody"),
        "bright": (whole.register or 0) >= 74,
        "sparse": is_slow and element == "rhythm",
        "busy": is_quick,
        "warm": element in ("harmony", "texture") and not is_hard and not is_dark,
        "hypnotic": "euclidean rhythm" in techniques or "drone" in techniques,
    }
    return [feeling for feeling, is_it in found.items() if is_it][:_MOST]
