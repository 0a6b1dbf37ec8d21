"""Write pitches as note names, or as degrees of a scale where the key is clear."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median_low

from consort_music.keys import MODES, Key
from consort_music.pitch import Pitch

LEAST_SHARE = 0.9
"""A key is clear if at least this share of the notes is in its scale."""


@dataclass(frozen=True)
class PitchSpelling:
    """How the pitches of a voice are written. `control` is `note` or `n`; `scale` is the argument of `scale`."""

    control: str
    text: Callable[[int], str]
    scale: str | None = None


def names(key: Key | None) -> PitchSpelling:
    """Return the spelling by note names, as is usual in a key: `eb4`."""
    return PitchSpelling("note", lambda midi: _name(midi, key))


def degrees(key: Key, pitches: Sequence[int]) -> PitchSpelling | None:
    """Return the spelling by degrees, counted from the tonic below the middle note, or None if the key is not clear."""
    if not pitches or share_in_key(key, pitches) < LEAST_SHARE:
        return None
    semitones = [tone for _, tone in MODES[key.mode]]
    middle = median_low(pitches)
    tonic = middle - (middle - key.tonic) % 12
    octave = tonic // 12 - 1
    if octave < 0:
        return None

    def text(midi: int) -> str:
        octaves, tone = divmod(midi - tonic, 12)
        degree = max(place for place, each in enumerate(semitones) if each <= tone)
        return f"{degree + octaves * len(semitones)}{'#' * (tone - semitones[degree])}"

    mode = key.mode.replace(" ", ":")
    return PitchSpelling("n", text, f"{key.tonic_name.replace('♯', '#').replace('♭', 'b')}{octave}:{mode}")


def share_in_key(key: Key, pitches: Sequence[int]) -> float:
    return sum(pitch % 12 in key.pitch_classes for pitch in pitches) / len(pitches)


def _name(midi: int, key: Key | None) -> str:
    pitch = key.spell(midi) if key is not None else Pitch.from_midi(midi)
    if abs(pitch.alter) > 1:
        pitch = Pitch.from_midi(midi)
    return f"{pitch.step.lower()}{'#' * pitch.alter if pitch.alter > 0 else 'b' * -pitch.alter}{pitch.octave}"
