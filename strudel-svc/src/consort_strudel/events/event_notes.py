"""Velocity and sound of one event, as the engine's own MIDI output reads them."""

from collections.abc import Mapping
from typing import Any

from consort_strudel.events.midi_sounds import DEFAULT_SOUND
from consort_strudel.music_words import number_of

DEFAULT_VELOCITY = 0.9
DEFAULT_PITCH = 36.0
"""What synths play without a note."""
_NO_SOUND = ("-", "~", "_")


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
