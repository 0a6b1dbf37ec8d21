"""Weights of pitches at each note: counts from folk tunes, adjusted to the request. Pitches are register indices."""

import math
import random
from collections.abc import Mapping, Sequence

from consort_compose.composer.melody.engine.contour import curve, half_wave
from consort_compose.composer.melody.engine.folk_statistics import FolkStatistics, Style, mode_in_statistics
from consort_compose.composer.melody.engine.musical_form import is_phrase_end
from consort_compose.composer.melody.engine.pitch_register import PitchRegister
from consort_compose.composer.melody.engine.request_and_result import MelodyRequest, NoteTiming
from consort_music.metre import BEAT, STRONG

_PLACE_STRENGTH = 0.7
"""Exponent of the frequency of degrees. The moves from note to note already prefer frequent degrees."""
_DEGREE_FACTORS: Mapping[Style, Sequence[float]] = {
    "song": (0.85, 1.0, 1.05, 1.0, 1.05, 1.0, 0.85),
    "dance": (1.15, 1.0, 1.05, 1.0, 0.95, 0.9, 0.9),
}
"""Factors for the degrees, to which the moves lead too often or too rarely."""
_EARLY_TONIC: Mapping[Style, float] = {"song": 0.5, "dance": 0.8}
"""Factor for the tonic at the end of every phrase but the last."""
_LEAST_WEIGHT = 1e-6
"""Every pitch has at least this weight, because a wish must not forbid a pitch."""
_NOT_IN_CHORD = 1e-7
"""Factor for other pitches than chord tones on a strong beat."""
_IN_CHORD_ON_WEAK_BEAT = 1.5
"""Factor for chord tones on a weak beat."""
_SHAPE_WIDTH = 0.3
"""Width (standard deviation) of the bell curve around the shape of a folk tune, as a share of the register."""
_STATIC_WIDTH = 2.0
"""The same for a static contour."""
_CURVE_WIDTH = 1.4
"""The same for other contours in a register of an octave. It grows in proportion to the register."""
_EXTREME = 100.0
"""Weight of the lowest or highest pitch at notes that are chosen to reach it, in shares of the likeliest pitch."""
_LATE_PEAK = 8.0
"""How much more often the highest pitch is favoured at the end of a melody than at its beginning: 1 + this."""
_NOTES_PER_EXTREME = 14
"""One note in this many is chosen to reach the lowest pitch, and one to reach the highest."""
_FAR_FROM_TONIC = 0.05
"""Factor for a last note more than a fourth below or a fifth above the tonic, if there is no contour."""
_TONIC_TRIAD = (0, 2, 4)
"""Degrees that are favoured for the last note."""
_LONG_BLUE_NOTE = 0.05
"""Factor for a blue note of two beats or more: it leads on, and no phrase rests on it."""


def make_pitch_weights(
    request: MelodyRequest,
    statistics: FolkStatistics,
    register: PitchRegister,
    timings: Sequence[NoteTiming],
    times: Sequence[float],
    is_new: Sequence[bool],
    contour_strength: float,
    rng: random.Random,
) -> list[list[float]]:
    """Return, for each note, the weight of each pitch. `is_new` says which notes are not copies of an earlier bar.

    With a larger `contour_strength` the contour is followed more closely; 0 ignores it.
    """
    degrees, blue_notes = register.degrees, register.blue_notes
    learned = statistics.places[mode_in_statistics(request.key)]
    height = _heights(request, statistics, register, times, contour_strength, rng)
    pitch_weights = []
    for index, timing in enumerate(timings):
        length = _length_class(request, timing)
        row = learned[3 * timing.strength + length]
        weights = [
            _DEGREE_FACTORS[statistics.style][degree] * (row[degree] / 100) ** _PLACE_STRENGTH for degree in degrees
        ]
        if length == 2:
            weights = [w * (_LONG_BLUE_NOTE if blue else 1.0) for w, blue in zip(weights, blue_notes, strict=True)]
        pitch_weights.append([max(_LEAST_WEIGHT, w * h) for w, h in zip(weights, height[index], strict=True)])
    _favour_phrase_ends(request, statistics, register, timings, pitch_weights)
    _favour_first_and_last(request, statistics, register, height[-1], pitch_weights)
    if request.contour is None:
        _favour_extremes(pitch_weights, times, is_new, rng)
    _follow_chords(request, register, timings, pitch_weights)
    _end_on_tonic(request, register, pitch_weights[-1])
    _fix_first_and_last(request, register, pitch_weights)
    return pitch_weights


def _length_class(request: MelodyRequest, timing: NoteTiming) -> int:
    """Return 0 for less than a beat, 1 for less than two beats, otherwise 2."""
    starts = request.metre.beats
    length = starts[1] if len(starts) > 1 else request.metre.bar
    return 0 if timing.duration < length else 1 if timing.duration < 2 * length else 2


def _heights(
    request: MelodyRequest,
    statistics: FolkStatistics,
    register: PitchRegister,
    times: Sequence[float],
    contour_strength: float,
    rng: random.Random,
) -> list[list[float]]:
    """Return, for each note, the weight of each pitch by its height: a bell curve.

    Its centre is the height of the contour at this time, or without a contour the height of a random folk tune.
    """
    staff_steps = register.staff_steps
    low, high = staff_steps[0], staff_steps[-1]
    wave = half_wave(request.measures)
    shape = [half / 2 for half in rng.choice(statistics.shapes)]
    turned = rng.random() < 0.5 if request.start is None or request.end is None else False
    rows = []
    for time in times:
        if request.contour is None or request.contour == "static":
            centre = (low + high) / 2 + _height_of_shape(shape, time)
            width = _SHAPE_WIDTH * max(7, high - low) if request.contour is None else _STATIC_WIDTH
            strength = 1.0 if request.contour is None else contour_strength
        else:
            share = curve(request.contour, time, wave)
            if request.contour == "wave" and turned:
                share = 1 - share
            centre = low + share * (high - low)
            width, strength = _CURVE_WIDTH * max(1, high - low) / 7, contour_strength
        rows.append([math.exp(-strength * ((staff_step - centre) / width) ** 2 / 2) for staff_step in staff_steps])
    return rows


def _height_of_shape(shape: Sequence[float], time: float) -> float:
    """Return the height at a time from 0 to 1, by linear interpolation.

    `shape` has the heights at the middles of the four quarters of a tune.
    """
    at = min(3.0, max(0.0, time * 4 - 0.5))
    before = min(2, int(at))
    return shape[before] + (at - before) * (shape[before + 1] - shape[before])


def _favour_phrase_ends(
    request: MelodyRequest,
    statistics: FolkStatistics,
    register: PitchRegister,
    timings: Sequence[NoteTiming],
    pitch_weights: list[list[float]],
) -> None:
    """Favour the degrees that usually end phrases, at the longest note of each bar that ends a phrase but the last."""
    rest_degrees = statistics.rest_degrees[mode_in_statistics(request.key)]
    for measure in range(1, request.measures):
        if is_phrase_end(measure - 1, request.measures):
            inside = [index for index, timing in enumerate(timings) if timing.measure == measure]
            longest = max(inside, key=lambda index: (timings[index].duration, index))
            for pitch, degree in enumerate(register.degrees):
                pitch_weights[longest][pitch] *= (0.02 + rest_degrees[degree] / 150) * (
                    _EARLY_TONIC[statistics.style] if degree == 0 else 1
                )


def _favour_first_and_last(
    request: MelodyRequest,
    statistics: FolkStatistics,
    register: PitchRegister,
    height: Sequence[float],
    pitch_weights: list[list[float]],
) -> None:
    """Favour usual first and last notes. `height` is the row of `_heights` for the last note."""
    mode = mode_in_statistics(request.key)
    starts, finals = statistics.starts[mode], statistics.finals[mode]
    usual = sum(starts.values())
    for pitch, staff_step in enumerate(register.staff_steps):
        pitch_weights[0][pitch] *= max(0.01, starts.get(staff_step, 0) / usual)
    whole = sum(finals.values())
    notes = zip(register.staff_steps, register.degrees, register.blue_notes, strict=True)
    for pitch, (staff_step, degree, is_blue) in enumerate(notes):
        share = 0.0 if is_blue else (finals.get(degree, 0) / whole) ** (1.6 if degree in _TONIC_TRIAD else 3)
        if request.contour is None:
            share *= 1.0 if -3 <= staff_step <= 4 else _FAR_FROM_TONIC
        else:
            share *= height[pitch]
        pitch_weights[-1][pitch] = max(_LEAST_WEIGHT, share)


def _favour_extremes(
    pitch_weights: list[list[float]], times: Sequence[float], is_new: Sequence[bool], rng: random.Random
) -> None:
    """Favour the highest and the lowest pitch at some notes, so that the whole register is used.

    The highest pitch is often in the second half. Copied bars have the extremes of the bars that they copy.
    """
    notes = [note for note in range(1, len(pitch_weights) - 1) if is_new[note]]
    if len(notes) < 6:
        return
    for pitch, late in ((-1, _LATE_PEAK), (0, 0.0)):
        weights = [1 + late * times[note] for note in notes]
        for note in rng.choices(notes, weights, k=max(2, len(notes) // _NOTES_PER_EXTREME)):
            pitch_weights[note][pitch] = max(pitch_weights[note][pitch], _EXTREME * max(pitch_weights[note]))


def _follow_chords(
    request: MelodyRequest, register: PitchRegister, timings: Sequence[NoteTiming], pitch_weights: list[list[float]]
) -> None:
    """Favour chord tones. On strong beats other pitches become nearly impossible."""
    for index, timing in enumerate(timings):
        span = next((span for span in request.chords if span.start <= timing.onset < span.end), None)
        if span is None:
            continue
        is_strong = timing.strength >= STRONG or (timing.strength == BEAT and len(request.metre.beats) <= 2)
        for pitch, midi in enumerate(register.pitches):
            inside = midi % 12 in span.chord.pitch_classes
            if is_strong:
                pitch_weights[index][pitch] *= 1.0 if inside else _NOT_IN_CHORD
            elif inside:
                pitch_weights[index][pitch] *= _IN_CHORD_ON_WEAK_BEAT


def _end_on_tonic(request: MelodyRequest, register: PitchRegister, weights: list[float]) -> None:
    """Make every last note but the tonic nearly impossible if the last chord is that of the tonic."""
    if request.chords and request.chords[-1].chord.root_pitch_class == request.key.tonic:
        for pitch, midi in enumerate(register.pitches):
            if midi % 12 != request.key.tonic:
                weights[pitch] *= _NOT_IN_CHORD


def _fix_first_and_last(request: MelodyRequest, register: PitchRegister, pitch_weights: list[list[float]]) -> None:
    """Give all other pitches than the requested first and last note weight 0 at these notes."""
    for index, midi in ((0, request.start), (-1, request.end)):
        if midi is not None:
            pitch_weights[index] = [1.0 if pitch == midi else 0.0 for pitch in register.pitches]
