"""Where a melody lies: a stretch of the range about as wide as folk tunes are, around a tonic."""

import math
import random
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from consort_compose.composer.melody.request import MelodyRequest
from consort_compose.composer.melody.tables import tables
from consort_music.keys import MODES

_MIDDLE = 5.0
"""Semitones from the middle of the range at which a register is a third as likely."""
_STATIC_SPAN = 7
_CURVED_LINES = 7
"""A contour needs room: at least an octave, where the range has it."""
_ROOM = 3
"""Notes beyond start and end, where no usual register holds them."""


@dataclass(frozen=True)
class Register:
    pitches: Sequence[int]
    """MIDI numbers, all notes of the scale between the lowest and the highest."""
    lines: Sequence[int]
    """Letters above the tonic that the register is built around, seven to the octave."""

    @property
    def degrees(self) -> list[int]:
        return [line % 7 for line in self.lines]


def choose_register(request: MelodyRequest, rng: random.Random) -> Register:
    """A register within the range that holds the start and the end."""
    pitches = request.pitches
    held = [midi for midi in (request.start, request.end) if midi is not None]
    if request.contour == "static":
        return _static(request, pitches, held, rng)
    middle = (pitches[0] + pitches[-1]) / 2
    found: list[tuple[int, list[int]]] = []
    weights: list[float] = []
    for tonic in (midi for midi in pitches if midi % 12 == request.key.tonic):
        lines = [_line(request, midi, tonic) for midi in pitches]
        for low, high, count in tables().reaches:
            if lines[0] > low + 1 or lines[-1] < high - 1 or (request.contour and high - low < _CURVED_LINES):
                continue
            inside = pitches[bisect_left(lines, low) : bisect_right(lines, high)]
            if any(midi not in inside for midi in (tonic, *held)):
                continue
            away = ((inside[0] + inside[-1]) / 2 - middle) / _MIDDLE
            found.append((tonic, inside))
            weights.append(count * math.exp(-away * away))
    if not found:
        return whole_register(request, held)
    tonic, inside = rng.choices(found, weights)[0]
    return Register(inside, [_line(request, midi, tonic) for midi in inside])


def whole_register(request: MelodyRequest, held: Sequence[int] = ()) -> Register:
    """The whole range, or where it is wide and the ends are known, what lies around them."""
    pitches = request.pitches
    if held and len(pitches) > 16:
        low = max(0, pitches.index(min(held)) - _ROOM)
        high = pitches.index(max(held)) + _ROOM + 1
        while high - low < 10:
            low, high = max(0, low - 1), high + 1
        pitches = pitches[low:high]
    middle = (pitches[0] + pitches[-1]) / 2
    tonic = min(range(request.key.tonic - 12, 140, 12), key=lambda midi: abs(midi - middle))
    return Register(pitches, [_line(request, midi, tonic) for midi in pitches])


def _static(request: MelodyRequest, pitches: Sequence[int], held: Sequence[int], rng: random.Random) -> Register:
    middle = (pitches[0] + pitches[-1]) / 2
    places = [midi for midi in pitches if not held or min(held) - _STATIC_SPAN <= midi <= max(held)]
    choices = []
    for low in places:
        inside = [midi for midi in pitches if low <= midi <= low + _STATIC_SPAN]
        if all(midi in inside for midi in held):
            choices.append(inside)
    if not choices:
        return whole_register(request, held)
    weights = [len(inside) ** 2 * math.exp(-abs(sum(inside) / len(inside) - middle) / 4) for inside in choices]
    with_tonic = [
        weight * (4 if any(midi % 12 == request.key.tonic for midi in inside) else 1)
        for weight, inside in zip(weights, choices, strict=True)
    ]
    inside = rng.choices(choices, with_tonic)[0]
    tonic = min(range(request.key.tonic - 12, 140, 12), key=lambda midi: abs(midi - inside[0]))
    return Register(inside, [_line(request, midi, tonic) for midi in inside])


def _line(request: MelodyRequest, midi: int, tonic: int) -> int:
    letters = {semitones: letter for letter, semitones in MODES[request.key.mode]}
    return 7 * ((midi - tonic) // 12) + letters[(midi - tonic) % 12]
