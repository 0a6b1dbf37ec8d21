"""Copy pitches of earlier bars into later bars, as the form says. Notes and pitches are indices."""

import itertools
import random
from collections.abc import Mapping, Sequence

from consort_compose.composer.melody.engine.contour import curve, half_wave
from consort_compose.composer.melody.engine.folk_statistics import FolkStatistics
from consort_compose.composer.melody.engine.move_weights import FIFTH
from consort_compose.composer.melody.engine.musical_form import FormBar, Relation, is_phrase_end
from consort_compose.composer.melody.engine.pitch_sampler import MoveWeights, kind_of
from consort_compose.composer.melody.engine.request_and_result import MelodyRequest, NoteTiming

FixedPitches = dict[int, int]
"""Notes whose pitch is fixed, with that pitch."""

_REPEATED_MOVE = 16.0
"""Factor for the kind of move that the source bar has at the same note. It keeps the motif, also at other pitches."""
_REPEATED_PITCHES: Mapping[Relation, float] = {"equal": 3.0, "rhythm": 2.5}
"""Factors for the pitch that the source bar has at the same note. A note of an equal bar may still be free, because a
move to it was not possible."""
_VARIED_PITCH = 0.4
"""The same for bars that repeat a part of their source: the other part varies it."""
_FREE_END = 3
"""Number of notes at the end of the melody that repeat nothing, so that the melody can close."""
_CLOSES = 0.3
"""A repetition includes the end of the melody if its last pitch has this share of the weight of the likeliest pitch."""
_UPBEAT = 3
"""The largest number of notes before a repeated bar that are repeated too."""
_TOO_UNLIKELY = 1e-5
"""A repetition is dropped if one of its pitches has less than this share of the weight of the likeliest pitch."""


def choose_repetitions(
    request: MelodyRequest,
    statistics: FolkStatistics,
    form: Sequence[FormBar],
    timings: Sequence[NoteTiming],
    times: Sequence[float],
    drawn: Sequence[int],
    moves: MoveWeights,
    pitch_weights: Sequence[Sequence[float]],
    rng: random.Random,
) -> list[FixedPitches]:
    """Return, for each bar, the pitches that it copies from an earlier bar, or an empty dict if it copies none.

    `drawn` is the melody without repetition. `times` are the onsets of its notes, from 0 to 1.
    """
    notes = _notes_by_bar(form, timings)
    pickup = [index for index, timing in enumerate(timings) if not timing.measure]
    pitches = list(drawn)
    repetitions: list[FixedPitches] = []
    for number, bar in enumerate(form):
        sources = notes[bar.source]
        here = notes[number]
        found: FixedPitches = {}
        part = _repeated_part(bar.relation, len(here))
        if len(sources) == len(here) and here[part]:
            sources, here = sources[part], here[part]
            rise = _contour_rise(request, times[sources[0]], times[here[0]])
            shift = _shift(statistics, bar, [pitches[index] for index in sources], rise, len(moves.near), rng)
            found = {index: pitches[source] + shift for index, source in zip(here, sources, strict=True)}
            last = len(timings) - 1
            if last in found and pitch_weights[last][found[last]] < _CLOSES * max(pitch_weights[last]):
                for index in range(len(timings) - _FREE_END, len(timings)):
                    found.pop(index, None)
            if not all(_is_likely(pitch_weights[index], pitch) for index, pitch in found.items()):
                found = {}
            if number and here[0] in found and not shift:
                lead = notes[bar.source - 1] if bar.source else pickup
                upbeat = _repeated_upbeat(notes[number - 1], lead, timings, pitches, pitch_weights)
                for index, pitch in upbeat.items():
                    pitches[index] = repetitions[-1].setdefault(index, pitch)
            for index, pitch in found.items():
                pitches[index] = pitch
        repetitions.append(found)
    return repetitions


def _repeated_upbeat(
    here: Sequence[int],
    source: Sequence[int],
    timings: Sequence[NoteTiming],
    pitches: Sequence[int],
    pitch_weights: Sequence[Sequence[float]],
) -> FixedPitches:
    """Return the pitches of the last notes of a bar, copied from the notes that lead into the bar that is repeated."""
    found: FixedPitches = {}
    for index, other in list(zip(reversed(here), reversed(source), strict=False))[:_UPBEAT]:
        if timings[index].duration != timings[other].duration or not _is_likely(pitch_weights[index], pitches[other]):
            break
        found[index] = pitches[other]
    return found


def merge_repetitions(
    form: Sequence[FormBar],
    timings: Sequence[NoteTiming],
    drawn: Sequence[int],
    repetitions: list[FixedPitches],
    moves: MoveWeights,
    pitches: Sequence[int],
) -> FixedPitches:
    """Return all fixed notes: those of the repetitions and those of the bars that they repeat.

    Notes are removed from `repetitions` if the move between two fixed notes is not allowed or is a new wide leap. After
    the end of a phrase, a new wide leap is kept if the next move turns back.
    """
    while True:
        fixed = _all_fixed(form, timings, drawn, repetitions)
        broken = next(
            (index for index in sorted(fixed) if not _can_follow(index, form, timings, fixed, drawn, moves, pitches)),
            None,
        )
        if broken is None:
            return fixed
        for note in (broken + 1, broken):
            if repetitions[timings[note].measure - 1].pop(note, None) is not None:
                break


def _can_follow(
    index: int,
    form: Sequence[FormBar],
    timings: Sequence[NoteTiming],
    fixed: FixedPitches,
    drawn: Sequence[int],
    moves: MoveWeights,
    pitches: Sequence[int],
) -> bool:
    """Return whether the move from note `index` to the next note is possible, if both are fixed."""
    here, after = fixed[index], fixed.get(index + 1)
    if after is None or (here, after) == (drawn[index], drawn[index + 1]):
        return True
    low, high = moves.near[here]
    if not low <= after < high:
        return False
    if abs(pitches[after] - pitches[here]) <= FIFTH or abs(after - here) == abs(drawn[index + 1] - drawn[index]):
        return True
    measure = timings[index].measure
    ends_phrase = measure != timings[index + 1].measure and measure > 0 and is_phrase_end(measure - 1, len(form))
    return ends_phrase and _is_recovered(index, fixed, pitches)


def _is_recovered(index: int, fixed: FixedPitches, pitches: Sequence[int]) -> bool:
    """Return whether the moves around a wide leap from note `index` are no wide leaps, and the next one turns back."""
    around = [fixed.get(note) for note in range(index - 1, index + 3)]
    sizes = [
        None if before is None or after is None else pitches[after] - pitches[before]
        for before, after in itertools.pairwise(around)
    ]
    before, leap, after = sizes
    assert leap is not None
    return (before is None or abs(before) <= FIFTH) and (after is None or (abs(after) <= FIFTH and leap * after <= 0))


def favour_repeated_moves(
    form: Sequence[FormBar],
    timings: Sequence[NoteTiming],
    drawn: Sequence[int],
    kind_weights: Sequence[Sequence[float]],
) -> list[list[float]]:
    """Return new kind weights, larger for the kind of move that the source bar has at the same note.

    Bars that vary a part of their source are left as they are.
    """
    weights = [list(row) for row in kind_weights]
    notes = _notes_by_bar(form, timings)
    for number, bar in enumerate(form):
        if bar.relation in ("equal", "shifted", "rhythm") and len(notes[number]) == len(notes[bar.source]):
            for index, source in list(zip(notes[number], notes[bar.source], strict=True))[1:]:
                weights[index][kind_of(drawn[source] - drawn[source - 1])] *= _REPEATED_MOVE
    return weights


def favour_repeated_pitches(
    form: Sequence[FormBar],
    timings: Sequence[NoteTiming],
    drawn: Sequence[int],
    pitch_weights: Sequence[Sequence[float]],
) -> list[list[float]]:
    """Return new pitch weights for the pitch that the source bar has at the same note.

    They are smaller in bars that vary a part of their source.
    """
    weights = [list(row) for row in pitch_weights]
    notes = _notes_by_bar(form, timings)
    for number, bar in enumerate(form):
        if bar.relation not in ("new", "shifted") and len(notes[number]) == len(notes[bar.source]):
            factor = _REPEATED_PITCHES.get(bar.relation, _VARIED_PITCH)
            for index, source in zip(notes[number], notes[bar.source], strict=True):
                weights[index][drawn[source]] *= factor
    return weights


def _notes_by_bar(form: Sequence[FormBar], timings: Sequence[NoteTiming]) -> list[list[int]]:
    """Return the indices of the notes in each full bar."""
    notes: list[list[int]] = [[] for _ in form]
    for index, timing in enumerate(timings):
        if timing.measure:
            notes[timing.measure - 1].append(index)
    return notes


def _repeated_part(relation: Relation, count: int) -> slice:
    """Return which notes of a bar are copied."""
    if relation in ("new", "rhythm"):
        return slice(0, 0)
    if relation == "long head":
        return slice(0, -(-3 * count // 4))
    if relation == "long tail":
        return slice(count // 4, count)
    if "head" in relation:
        return slice(0, (count + 1) // 2 if "shifted" in relation else count // 2)
    return slice(count // 2, count) if "tail" in relation else slice(0, count)


def _all_fixed(
    form: Sequence[FormBar], timings: Sequence[NoteTiming], drawn: Sequence[int], repetitions: Sequence[FixedPitches]
) -> FixedPitches:
    sources = {bar.source for bar in form if bar.relation != "new"}
    fixed = {index: drawn[index] for index, timing in enumerate(timings) if timing.measure - 1 in sources}
    for found in repetitions:
        fixed.update(found)
    return fixed


def _contour_rise(request: MelodyRequest, before: float, after: float) -> float | None:
    """Return by how much the contour rises from `before` to `after`, or None if there is no curve to follow."""
    if request.contour is None or request.contour == "static":
        return None
    wave = half_wave(request.measures)
    return curve(request.contour, after, wave) - curve(request.contour, before, wave)


def _shift(
    statistics: FolkStatistics,
    bar: FormBar,
    source: Sequence[int],
    rise: float | None,
    width: int,
    rng: random.Random,
) -> int:
    """Return by how many scale notes a copied bar is transposed.

    If the contour rises by `rise` (not None), the bar follows it. Otherwise a shifted bar gets a distance that folk
    tunes use, and any other bar 0. The copy stays within the register of `width` pitches.
    """
    lowest, highest = -min(source), width - 1 - max(source)
    if rise is not None:
        return max(lowest, min(highest, round(rise * (width - 1))))
    if "shifted" not in bar.relation:
        return 0
    shifts = [(shift, count) for shift, count in statistics.shifts.items() if lowest <= shift <= highest]
    return rng.choices([s for s, _ in shifts], [c for _, c in shifts])[0] if shifts else 0


def _is_likely(weights: Sequence[float], pitch: int) -> bool:
    return weights[pitch] >= _TOO_UNLIKELY * max(weights)
