"""Note names, scale names and pitches, as Strudel writes them."""

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

_NOTE_NAME = re.compile(r"([a-gA-G])([#bsf]*)(-?[0-9]*)")
_CHROMAS = {"c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11}
_ALTERS = {"#": 1, "s": 1, "b": -1, "f": -1}
_OCTAVE = 3
"""Of note names without a number."""
_SCALE_NAME = re.compile(r"^([A-Ga-g][#b]*)(-?\d+)?[: ](.+)$")


class ScaleName(NamedTuple):
    tonic: str
    """With a capital: `Eb`."""
    octave: int | None
    mode: str
    """In lower case, with blanks between words: `minor pentatonic`."""

    @property
    def key(self) -> str:
        return f"{self.tonic} {self.mode}"


def note_number(name: str) -> int | None:
    """Return the MIDI number of a note name such as `c#4` or `eb`, or None."""
    found = _NOTE_NAME.fullmatch(name)
    if found is None:
        return None
    octave = int(found[3]) if found[3] not in ("", "-") else _OCTAVE
    return 12 * (octave + 1) + _CHROMAS[found[1].lower()] + sum(_ALTERS[letter] for letter in found[2])


def parse_scale(text: str) -> ScaleName | None:
    """Return the parts of a scale name such as `C4:minor:pentatonic` or `A minor`, or None."""
    found = _SCALE_NAME.match(text)
    if found is None:
        return None
    mode = found[3].replace(":", " ").strip().lower()
    return ScaleName(found[1].capitalize(), int(found[2]) if found[2] else None, mode)


def number_of(value: Any) -> float | None:
    """Return a finite number, or None. Texts such as "0.5" are numbers too."""
    if isinstance(value, bool):
        return None
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if math.isfinite(found) else None


def pitch_of(value: Mapping[str, Any]) -> float | None:
    """Return the pitch of an event as a MIDI number, possibly between two keys, or None if it has none."""
    frequency = number_of(value.get("freq"))
    if frequency is not None and frequency > 0:
        return 69 + 12 * math.log2(frequency / 440)
    note = value.get("note")
    if isinstance(note, str) and (found := note_number(note)) is not None:
        return found
    return number_of(note)
