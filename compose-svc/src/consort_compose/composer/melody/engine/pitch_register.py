"""Choose the register, the part of the range that a melody uses. It is as wide as the range of some folk tune."""

import math
import random
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from consort_compose.composer.melody.engine.folk_statistics import Style, TuneProfile, density_likeness, folk_statistics
from consort_compose.composer.melody.engine.request_and_result import MelodyRequest
from consort_music.keys import MODES

_MIDDLE_WIDTH = 5.0
"""The weight of a register falls to about a third if its middle is this many semitones from the range's middle."""
_MOST_CUT = 2
"""The range of a folk tune may be cut by this many staff steps at its lower end to fit into the request's range."""
_STATIC_SPAN = 7
"""The widest register of a static melody, in semitones: a fifth."""
_CONTOUR_STEPS = 7
"""The narrowest register of a melody with a contour, in staff steps: an octave."""
_WIDER: Mapping[Style, float] = {"song": 1.16, "dance": 1.3}
"""Factor for each semitone of a register, because melodies use less of it than tunes do, and because narrow registers
fit into the range more often."""
_MARGIN = 3
"""Number of scale notes above and below the required notes, if no usual register contains both."""


@dataclass(frozen=True)
class PitchRegister:
    """The pitches that a melody uses. Other modules refer to a pitch by its index here."""

    pitches: Sequence[int]
    """MIDI numbers of all notes of the scale in the register, ascending."""
    staff_steps: Sequence[int]
    """For each pitch, the staff steps (letters, seven to the octave) above the tonic of the register."""

    @property
    def degrees(self) -> list[int]:
        return [step % 7 for step in self.staff_steps]

    @property
    def blue_notes(self) -> list[bool]:
        """For each pitch, whether it is a blue note: a semitone below a note of the scale with the same letter."""
        above = self.pitches[1:], self.staff_steps[1:]
        notes = zip(self.pitches, self.staff_steps, *above, strict=False)
        return [*(b == a + 1 and step == other for a, step, b, other in notes), False]


def choose_register(request: MelodyRequest, profile: TuneProfile, rng: random.Random) -> PitchRegister:
    """Draw a register within the range that contains the first and the last note of the request.

    It is the range of a folk tune, most likely of one with about as many notes per quarter as the profile.
    """
    pitches = request.pitches
    required = [midi for midi in (request.start, request.end) if midi is not None]
    if request.contour == "static":
        return _static_register(request, pitches, required, rng)
    middle = (pitches[0] + pitches[-1]) / 2
    options: list[tuple[int, list[int]]] = []
    weights: list[float] = []
    tonics = [midi for midi in pitches if midi % 12 == request.key.tonic]
    steps_from = {tonic: [_staff_step(request, midi, tonic) for midi in pitches] for tonic in tonics}
    likeness: dict[tuple[int, int], float] = {}
    for low, high, of_tune in folk_statistics(profile.style).reaches:
        likeness[low, high] = likeness.get((low, high), 0.0) + density_likeness(of_tune, profile.density)
    for (low, high), share in likeness.items():
        if request.contour and high - low < _CONTOUR_STEPS:
            continue
        places: list[tuple[int, list[int]]] = []
        nearness: list[float] = []
        for tonic, staff_steps in steps_from.items():
            if staff_steps[0] > low + _MOST_CUT or staff_steps[-1] < high - 1:
                continue
            inside = pitches[bisect_left(staff_steps, low) : bisect_right(staff_steps, high)]
            if any(midi not in inside for midi in (tonic, *required)):
                continue
            distance = ((inside[0] + inside[-1]) / 2 - middle) / _MIDDLE_WIDTH
            places.append((tonic, inside))
            nearness.append(math.exp(-distance * distance))
        options += places
        weights += [
            share * near / sum(nearness) * _WIDER[profile.style] ** (inside[-1] - inside[0])
            for near, (_, inside) in zip(nearness, places, strict=True)
        ]
    if not options:
        return whole_register(request, required)
    tonic, inside = rng.choices(options, weights)[0]
    return PitchRegister(inside, [_staff_step(request, midi, tonic) for midi in inside])


def whole_register(request: MelodyRequest, required: Sequence[int] = ()) -> PitchRegister:
    """Return the whole range. If it is wide and there are required pitches, return only the part around these."""
    pitches = request.pitches
    if required and len(pitches) > 16:
        low = max(0, pitches.index(min(required)) - _MARGIN)
        high = pitches.index(max(required)) + _MARGIN + 1
        while high - low < 10:
            low, high = max(0, low - 1), high + 1
        pitches = pitches[low:high]
    middle = (pitches[0] + pitches[-1]) / 2
    tonic = min(range(request.key.tonic - 12, 140, 12), key=lambda midi: abs(midi - middle))
    return PitchRegister(pitches, [_staff_step(request, midi, tonic) for midi in pitches])


def _static_register(
    request: MelodyRequest, pitches: Sequence[int], required: Sequence[int], rng: random.Random
) -> PitchRegister:
    """Draw a register of at most a fifth. It is likely to be near the middle of the range and to contain a tonic."""
    middle = (pitches[0] + pitches[-1]) / 2
    lowest = [midi for midi in pitches if not required or min(required) - _STATIC_SPAN <= midi <= max(required)]
    choices = []
    for low in lowest:
        inside = [midi for midi in pitches if low <= midi <= low + _STATIC_SPAN]
        if all(midi in inside for midi in required):
            choices.append(inside)
    if not choices:
        return whole_register(request, required)
    weights = [len(inside) ** 2 * math.exp(-abs(sum(inside) / len(inside) - middle) / 4) for inside in choices]
    with_tonic = [
        weight * (4 if any(midi % 12 == request.key.tonic for midi in inside) else 1)
        for weight, inside in zip(weights, choices, strict=True)
    ]
    inside = rng.choices(choices, with_tonic)[0]
    tonic = min(range(request.key.tonic - 12, 140, 12), key=lambda midi: abs(midi - inside[0]))
    return PitchRegister(inside, [_staff_step(request, midi, tonic) for midi in inside])


def _staff_step(request: MelodyRequest, midi: int, tonic: int) -> int:
    letters = {semitones: letter for letter, semitones in MODES[request.key.mode]}
    return 7 * ((midi - tonic) // 12) + letters[(midi - tonic) % 12]
