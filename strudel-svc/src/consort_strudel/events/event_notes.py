"""Pitch, velocity and sound of one event, as the engine's own MIDI output reads them."""

import math
from collections.abc import Mapping
from typing import Any

from consort_strudel.events.midi_sounds import DEFAULT_SOUND
from consort_strudel.music_words import note_number

DEFAULT_VELOCITY = 0.9
DEFAULT_PITCH = 36.0
"""What synths play without a note."""
_NO_SOUND = ("-", "~", "_")


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


def sound_of(value: Mapping[str, Any]) -> str:
    """Return the name of the sound, with its bank."""
    name = str(value.get("s") or DEFAULT_SOUND)
    bank = value.get("bank")
    return f"{bank}_{name}" if bank else name


def sample_number(value: Mapping[str, Any]) -> int:
    number = number_of(value.get("n"))
    return 0 if number is None else int(number)


def loudness_of(value: Mapping[str, Any]) -> float:
    """Return gain times velocity, from 0 to 1."""
    gain, velocity = number_of(value.get("gain")), number_of(value.get("velocity"))
    loudness = (1.0 if gain is None else gain) * (DEFAULT_VELOCITY if velocity is None else velocity)
    return min(max(loudness, 0.0), 1.0)


def is_silent(value: Mapping[str, Any]) -> bool:
    return loudness_of(value) == 0 or value.get("s") in _NO_SOUND


def velocity_of(value: Mapping[str, Any]) -> int:
    """Return the MIDI velocity, from 1 to 127."""
    return max(round(127 * loudness_of(value)), 1)
