"""Write chord symbols for four voices (SATB). A Viterbi search chooses one voicing per chord.

Faults are parallel fifths, parallel octaves, overlaps, crossings, notes outside a voice's range, more than an octave
between neighbouring upper voices, and missing main tones. High costs avoid them where possible; those that remain are
listed. Doublings, unisons, a wide gap above the bass, leaps, hidden fifths, sevenths that do not fall and leading tones
that do not rise have low costs.

A given melody is the soprano and is never changed.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from consort_compose.composer.voicings.engine.cheapest_path import cheapest_path
from consort_compose.composer.voicings.engine.satb_faults import SatbFault, find_faults
from consort_compose.composer.voicings.engine.satb_voicings import (
    PAIRS,
    SatbNotes,
    SatbVoicing,
    penalize_final_inversions,
    voicings_in_range,
)
from consort_music.chords.symbol import ChordSymbol
from consort_music.pitch import Pitch

_FAULT = 1000.0
"""The cost of parallel fifths or octaves. An overlap costs half as much."""


class Satb(NamedTuple):
    """One chord in four voices."""

    soprano: Pitch
    alto: Pitch
    tenor: Pitch
    bass: Pitch


@dataclass(frozen=True)
class Realization:
    """Chords in four voices."""

    chords: list[Satb | None]
    """None where the symbol is N.C. (no chord)."""
    faults: list[SatbFault]
    cost: float
    """The total cost. Lower is better, but only realizations of the same symbols can be compared."""


def realize_satb(
    chords: Sequence[ChordSymbol],
    soprano: Sequence[int | None] | None = None,
    *,
    free_bass: bool = False,
    low: int = 0,
    high: int = 127,
) -> Realization:
    """Return a voicing for four voices of each chord.

    `soprano` has the melody's MIDI note at each chord, or None where the soprano is free. A melody note need not be a
    chord tone. With `free_bass`, chords without a slash may be inverted. `low` and `high` limit all voices except a
    given soprano. Raise INVALID_RANGE if a chord has no voicing between them.
    """
    melody = [None] * len(chords) if soprano is None else list(soprano)
    if len(melody) != len(chords):
        raise ValueError(f"There are {len(chords)} chords, but {len(melody)} soprano notes.")
    found: list[SatbNotes | None] = [None] * len(chords)
    total = 0.0
    start = 0
    while start < len(chords):
        if chords[start].is_no_chord:
            start += 1
            continue
        end = start
        while end < len(chords) and not chords[end].is_no_chord:
            end += 1
        layers = [voicings_in_range(chords[at], melody[at], free_bass, low, high) for at in range(start, end)]
        if free_bass:
            layers[-1] = penalize_final_inversions(layers[-1], chords[end - 1])
        resolving = [_resolves(first, second) for first, second in itertools.pairwise(chords[start:end])]
        step_costs = [partial(_step_cost, resolves) for resolves in resolving]
        path, cost = cheapest_path(layers, attrgetter("cost"), step_costs)
        found[start:end] = [voicing.notes for voicing in path]
        total += cost
        start = end
    spelled = [
        None if notes is None else Satb(*(chord.pitch(note) for note in notes))
        for chord, notes in zip(chords, found, strict=True)
    ]
    return Realization(spelled, find_faults(chords, found), round(total, 3))


_STEPS = tuple(0.0 if d == 0 else d * 0.8 if d <= 2 else d + (0 if d <= 4 else 1.5 * (d - 4)) for d in range(128))
_BASS_STEPS = tuple(0.0 if d == 0 else 0.6 + 0.15 * d + (0 if d <= 7 else 1.5 * (d - 7)) for d in range(128))


def _step_cost(resolves: bool, first: SatbVoicing, second: SatbVoicing, limit: float) -> float:
    """Return the cost, never negative, of moving from one voicing to the next.

    If the cost reaches `limit`, any value of at least `limit` may be returned.
    """
    s0, a0, t0, b0 = old = first.notes
    s1, a1, t1, b1 = new = second.notes
    if old == new:
        return 0.0
    moves = (s1 - s0, a1 - a0, t1 - t0, b1 - b0)
    cost = _STEPS[abs(moves[0])] + _STEPS[abs(moves[1])] + _STEPS[abs(moves[2])] + _BASS_STEPS[abs(moves[3])]
    if cost >= limit:
        return cost
    for (upper, lower), interval, next_interval in zip(PAIRS, first.perfect, second.perfect, strict=True):
        if interval and interval == next_interval:
            one, other = moves[upper], moves[lower]
            if one and other:
                cost += _FAULT if (one > 0) == (other > 0) else 25.0
    outer = second.perfect[0]
    if outer and abs(moves[0]) > 2 and moves[0] * moves[3] > 0:
        cost += 4.0  # a hidden fifth or octave between the outer voices
    if a1 > s0 or s1 < a0 or t1 > a0 or a1 < t0 or b1 > t0 or t1 < b0:
        cost += _FAULT / 2
    for voice in first.falling:
        if moves[voice] not in (0, -1, -2):
            cost += 5.0
    if resolves:
        for voice in first.rising:
            if moves[voice] != 1:
                cost += 4.0 if voice in (0, 3) else 1.5
    return cost


def _resolves(first: ChordSymbol, second: ChordSymbol) -> bool:
    """Return whether `first` resolves to `second` as a dominant: it has a major third, and its root falls a fifth."""
    if first.root is None or second.root is None:
        return False
    return (second.root.pitch_class - first.root.pitch_class) % 12 == 5 and (3, 0) in first.degrees
