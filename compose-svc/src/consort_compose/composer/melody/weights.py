"""How likely a pitch is at each note, and each move: counts of folk tunes, bent towards what was asked for."""

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from consort_compose.composer.melody import steps
from consort_compose.composer.melody.contour import curve, half_wave
from consort_compose.composer.melody.form import is_phrase_end
from consort_compose.composer.melody.register import Register
from consort_compose.composer.melody.request import Beat, MelodyRequest
from consort_compose.composer.melody.sampler import Moves
from consort_compose.composer.melody.tables import FAR, NO_MOVE, tables
from consort_music.metre import BEAT, STRONG

OCTAVE = 12
FIFTH = 7
"""Semitones that every voice leaps; more is wide."""
_FOURTH = 5
_SEMITONES = {1: (1, 2), 2: (3, 4), 3: (5,), 4: (7,), 5: (8, 9)}
"""Of the intervals of so many lines that are neither augmented nor diminished."""
_ALTERED = 0.2
_RECOVERED, _STAYS, _LEAPS_ON, _NOT_RECOVERED, _AGAIN = 1.5, 0.6, 0.2, 0.05, 0.7
_TOO_SOON = 0.5
"""The tonic at the end of a phrase before the last."""
_CLEAR_LEAST = 1e-6
"""A wish never forbids: what goes against it has at least this weight."""
_NOT_IN_CHORD = 1e-4
_IN_CHORD_BETWEEN = 1.5
_SHAPE_WIDTH = 4.0
_CURVE_WIDTH = 1.4
_ONWARD = 1.2
"""Lines go on somewhat more than the tables alone would have them, which are blurred by all else that is weighed."""
_TOUCH = 200.0
_TOUCHES = 12
_FAR_FROM_TONIC = 0.05
_AT_HOME = (0, 2, 4)
"""Degrees that a melody can end on."""
_FOLK_KINDS: "Kinds" = (0.327, 0.507, 0.155)
"""What is drawn where nothing is bent."""
_NO_KIND = 0.01
"""The least that a kind of move is bent to."""
_FEWER, _MORE, _MARGIN = 0.09, 0.09, 0.01
_REPEATS = 0.21
_CLOSE = (0.4, 1.3, 0.8, 1.8, 0.4)
"""How the last note is reached, beside what is usual everywhere: by step."""

Kinds = tuple[float, float, float]
"""Shares of leaps, steps and repeats."""


@dataclass(frozen=True)
class Tilt:
    """Factors for leaps, steps and repeats."""

    leap: float = 1.0
    step: float = 1.0
    repeat: float = 1.0

    @property
    def by_kind(self) -> tuple[float, ...]:
        return (self.leap, self.step, self.repeat, self.step, self.leap)


def wanted_kinds(prefer_stepwise: float, rng: random.Random) -> Kinds:
    """The shares of leaps, steps and repeats that a melody aims at. Melodies differ in it as folk tunes do: leaps lie
    around what `prefer_stepwise` leaves, and some melodies repeat notes more than others."""
    usual = _REPEATS * min(1.0, prefer_stepwise / 0.5, 0.4 + (1 - prefer_stepwise) / 0.4)
    repeat = usual * rng.triangular(0.2, 2.0, 0.8)
    few, many = 1 - prefer_stepwise - _FEWER, 1 - prefer_stepwise + _MORE
    many = min(many, (1 - prefer_stepwise + steps.TOLERANCE) * (1 - repeat) - _MARGIN)  # also when repeats are left out
    leap = min(0.97, max(0.01, rng.uniform(min(few, many), many)))
    repeat = min(repeat, 0.98 - leap)
    return leap, 1 - leap - repeat, repeat


def nearer(wanted: Kinds, prefer_stepwise: float) -> Kinds:
    """Shares that are met more surely, where melodies with the wanted ones missed what is allowed."""
    leap, _, repeat = wanted
    leap, repeat = (leap + 1 - prefer_stepwise) / 2, repeat / 2
    return leap, 1 - leap - repeat, repeat


def first_tilt(wanted: Kinds) -> Tilt:
    leap, step, repeat = (max(_NO_KIND, share / usual) for share, usual in zip(wanted, _FOLK_KINDS, strict=True))
    return Tilt(leap, step, repeat)


def mode_of(request: MelodyRequest) -> str:
    return "minor" if request.key.is_minor else "major"


def make_moves(request: MelodyRequest, register: Register, widest: int = OCTAVE) -> Moves:
    """Weights of moves in a register. `widest` is a limit of taste; the request's own comes on top of it."""
    pitches, lines = register.pitches, register.lines
    limit = widest if request.max_leap is None else min(widest, request.max_leap)
    count = len(pitches)
    near = []
    for here in pitches:
        inside = [index for index, midi in enumerate(pitches) if abs(midi - here) <= limit]
        near.append((inside[0], inside[-1] + 1))
    learned = tables().moves[mode_of(request)]
    shifts = [[_shift(lines, here, after) for after in range(count)] for here in range(count)]
    never = [0.0] * count
    first, later = [], []
    for here, (low, high) in enumerate(near):
        rows = learned[lines[here] % 7]
        after = [
            (index, shifts[here][index], _harshness(lines[index] - lines[here], pitches[index] - pitches[here]))
            for index in range(low, high)
        ]
        first.append(_padded(low, [rows[NO_MOVE][shift] * harsh for _, shift, harsh in after], count))
        reached = [never] * count
        for before in range(low, high):
            last, came = shifts[before][here], pitches[here] - pitches[before]
            row = [
                rows[last][shift]
                * harsh
                * (_ONWARD if (last - FAR) * (shift - FAR) > 0 else 1)
                * _recovery(came, pitches[index] - pitches[here])
                for index, shift, harsh in after
            ]
            reached[before] = _padded(low, row, count)
        later.append(reached)
    return Moves(near, first, later)


def _padded(low: int, row: list[float], count: int) -> list[float]:
    """The row from `low` on, with 0 for all else."""
    return [0.0] * low + row + [0.0] * (count - low - len(row))


def _harshness(lines: int, semitones: int) -> float:
    """Tritones, sevenths and augmented or diminished intervals are harder to sing than the tables, which count lines,
    know."""
    sung = {6: 0.3, 8: 0.8, 9: 0.8, 10: 0.1, 11: 0.05, 12: 0.6}.get(abs(semitones), 1.0)
    usual = _SEMITONES.get(abs(lines))
    return sung if usual is None or abs(semitones) in usual or abs(semitones) == 6 else _ALTERED * sung


def _recovery(before: int, after: int) -> float:
    """How well a move, in semitones, goes after another: a wide leap turns back into what it left open, by a step or a
    third, no leap goes on in its direction, and a note is seldom sung a third time."""
    if before == after == 0:
        return _AGAIN
    if abs(before) <= FIFTH:
        return _LEAPS_ON if abs(before) >= _FOURTH <= abs(after) and before * after > 0 else 1.0
    if before * after >= 0:
        return _STAYS if not after else _NOT_RECOVERED
    return _RECOVERED if abs(after) < _FOURTH else 1.0 if abs(after) <= FIFTH else _NOT_RECOVERED


def _shift(lines: Sequence[int], here: int, after: int) -> int:
    """A move as the tables count it. Two pitches on one line (a blues' fifths) are a step apart."""
    shift = lines[after] - lines[here]
    if shift == 0 and here != after:
        shift = 1 if after > here else -1
    return max(-FAR, min(FAR, shift)) + FAR


def make_into(beats: Sequence[Beat], tilt: Tilt) -> list[list[float]]:
    """For each note, the weights of the five kinds of move by which it is reached."""
    learned = tables().kinds
    bent = tilt.by_kind
    into = [list(bent)]
    for before, beat in itertools.pairwise(beats):
        longer = (beat.duration > before.duration) - (beat.duration < before.duration) + 1
        row = learned[3 * beat.strength + longer]
        into.append([factor * share / 100 for factor, share in zip(bent, row, strict=True)])
    into[-1] = [factor * close for factor, close in zip(into[-1], _CLOSE, strict=True)]
    return into


def make_places(
    request: MelodyRequest,
    register: Register,
    beats: Sequence[Beat],
    times: Sequence[float],
    firmness: float,
    rng: random.Random,
) -> list[list[float]]:
    """For each note, the weight of each pitch there. `firmness` is how closely the contour is followed."""
    degrees = register.degrees
    learned = tables().places[mode_of(request)]
    height = _heights(request, register, times, firmness, rng)
    places = []
    for index, beat in enumerate(beats):
        row = learned[3 * beat.strength + _length_class(request, beat)]
        weights = [row[degree] / 100 for degree in degrees]
        places.append([max(_CLEAR_LEAST, w * h) for w, h in zip(weights, height[index], strict=True)])
    _rest_at_phrase_ends(request, register, beats, places)
    _begin_and_end(request, register, height[-1], places)
    if request.contour is None:
        _touch_the_ends(places, rng)
    _follow_chords(request, register, beats, places)
    _hold(request, register, places)
    return places


def _length_class(request: MelodyRequest, beat: Beat) -> int:
    starts = request.metre.beats
    length = starts[1] if len(starts) > 1 else request.metre.bar
    return 0 if beat.duration < length else 1 if beat.duration < 2 * length else 2


def _heights(
    request: MelodyRequest, register: Register, times: Sequence[float], firmness: float, rng: random.Random
) -> list[list[float]]:
    """A bell around the height that the contour has at each note; without a contour, around a folk tune's course."""
    lines = register.lines
    low, high = lines[0], lines[-1]
    wave = half_wave(request.measures)
    shape = [half / 2 for half in rng.choice(tables().shapes)]
    turned = rng.random() < 0.5 if request.start is None or request.end is None else False
    rows = []
    for time in times:
        if request.contour is None or request.contour == "static":
            centre = (low + high) / 2 + _course(shape, time)
            width = _SHAPE_WIDTH if request.contour is None else 2.0
            strength = 1.0 if request.contour is None else firmness
        else:
            share = curve(request.contour, time, wave)
            if request.contour == "wave" and turned:
                share = 1 - share
            centre = low + share * (high - low)
            width, strength = _CURVE_WIDTH * max(1, high - low) / 7, firmness
        rows.append([math.exp(-strength * ((line - centre) / width) ** 2 / 2) for line in lines])
    return rows


def _course(shape: Sequence[float], time: float) -> float:
    """Between the middles of the four quarters in straight lines."""
    at = min(3.0, max(0.0, time * 4 - 0.5))
    before = min(2, int(at))
    return shape[before] + (at - before) * (shape[before + 1] - shape[before])


def _rest_at_phrase_ends(
    request: MelodyRequest, register: Register, beats: Sequence[Beat], places: list[list[float]]
) -> None:
    rest = tables().rest_degrees[mode_of(request)]
    for measure in range(1, request.measures):
        if is_phrase_end(measure - 1, request.measures):
            inside = [index for index, beat in enumerate(beats) if beat.measure == measure]
            rests = max(inside, key=lambda index: (beats[index].duration, index))
            for place, degree in enumerate(register.degrees):
                places[rests][place] *= (0.02 + rest[degree] / 150) * (_TOO_SOON if degree == 0 else 1)


def _begin_and_end(
    request: MelodyRequest, register: Register, height: Sequence[float], places: list[list[float]]
) -> None:
    """`height` has the weights of the contour at the last note."""
    starts, finals = tables().starts[mode_of(request)], tables().finals[mode_of(request)]
    usual = sum(starts.values())
    for place, line in enumerate(register.lines):
        places[0][place] *= max(0.01, starts.get(line, 0) / usual)
    whole = sum(finals.values())
    for place, (line, degree) in enumerate(zip(register.lines, register.degrees, strict=True)):
        share = (finals.get(degree, 0) / whole) ** (1.5 if degree in _AT_HOME else 3)
        if request.contour is None:
            share *= 1.0 if -3 <= line <= 4 else _FAR_FROM_TONIC
        else:
            share *= height[place]
        places[-1][place] = max(_CLEAR_LEAST, share)


def _touch_the_ends(places: list[list[float]], rng: random.Random) -> None:
    """Some notes are drawn to the highest and the lowest pitch, so that the register is used."""
    if len(places) < 8:
        return
    for end in (-1, 0):
        for at in rng.sample(range(1, len(places) - 1), max(2, len(places) // _TOUCHES)):
            places[at][end] *= _TOUCH


def _follow_chords(
    request: MelodyRequest, register: Register, beats: Sequence[Beat], places: list[list[float]]
) -> None:
    for index, beat in enumerate(beats):
        span = next((span for span in request.chords if span.start <= beat.onset < span.end), None)
        if span is None:
            continue
        firm = beat.strength >= STRONG or (beat.strength == BEAT and len(request.metre.beats) <= 2)
        for place, midi in enumerate(register.pitches):
            inside = midi % 12 in span.chord.pitch_classes
            if firm:
                places[index][place] *= 1.0 if inside else _NOT_IN_CHORD
            elif inside:
                places[index][place] *= _IN_CHORD_BETWEEN


def _hold(request: MelodyRequest, register: Register, places: list[list[float]]) -> None:
    for index, midi in ((0, request.start), (-1, request.end)):
        if midi is not None:
            places[index] = [1.0 if pitch == midi else 0.0 for pitch in register.pitches]
