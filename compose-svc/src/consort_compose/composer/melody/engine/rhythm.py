"""Choose note lengths. Bars come from folk tunes if the statistics have enough for the metre and density.

Otherwise bars are made from beats, which are split or joined.
"""

import math
import random
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from consort_compose.composer.melody.engine.folk_statistics import GRID, BarRhythm, Style, TuneProfile, folk_statistics
from consort_compose.composer.melody.engine.musical_form import FormBar, is_phrase_end
from consort_compose.composer.melody.engine.request_and_result import MelodyRequest, NoteTiming, has_beats_of_three
from consort_music.metre import Metre

Lengths = tuple[int, ...]
"""Note lengths of a bar, in parts of the grid (`folk_statistics.GRID`). Their sum is the length of the bar."""

SHORTEST = GRID // 4
"""A sixteenth, in parts of the grid. Shorter notes are used only if the unit of the metre is shorter."""
PHRASE_END, END = 3, 4
"""Roles of a bar: the last bar of a phrase and of the melody. The first three bars of a phrase have the roles 0, 1 and
2. A role is an index of `BarRhythm.counts`."""
_COMBINED_METRES = {
    "12/8": ("6/8", "6/8"),
    "5/4": ("3/4", "2/4"),
    "7/4": ("4/4", "3/4"),
    "7/8": ("2/4", "3/8"),
    "11/8": ("4/4", "3/8"),
    "8/4": ("4/4", "4/4"),
    "4/2": ("2/2", "2/2"),
}
"""Metres whose bars are made of bars of two other metres."""
_ENOUGH_RHYTHMS = 4
"""If fewer rhythms than this are known for a metre and density, bars are made from beats."""
_COUNT_WIDTH, _COUNT_WIDTH_IN_THREES = 0.3, 0.15
"""Widths (standard deviation) of the bell curve around the wished number of notes in a bar, as a share of it: in most
metres, and in metres with beats of three units."""
_INSIDE_PHRASES = 1.1
"""Notes in a bar inside a phrase, as a share of the mean. The last bars of phrases have fewer."""
_TASTE_SHAPE, _LEAST_TASTE = 4.0, 0.01
"""Shape of the gamma distribution of `RhythmWishes.tastes`, and the smallest taste."""
_HIDDEN_BEAT = 0.25
"""Factor for a rhythm that hides a beat at the end of a phrase, in a metre with beats of three units."""
_MOST_LIKENESS = 8.0
"""Factor for a bar whose notes all have the onset and length of notes in one earlier bar."""


@dataclass(frozen=True)
class RhythmWishes:
    """The number of notes in a bar, and which rhythms a melody likes."""

    style: Style
    least: int
    most: int
    mean: float
    tastes: Mapping[Lengths, float]
    """Random factors of the rhythms of folk tunes: a tune has few rhythms and repeats them."""


def choose_rhythm(
    request: MelodyRequest, form: Sequence[FormBar], profile: TuneProfile, rng: random.Random
) -> list[Lengths]:
    """Draw the note lengths of each full bar, about as many notes per quarter as the profile has.

    The mean number of notes per bar is within the request's density. Single bars may have fewer notes.
    """
    least, most = request.notes_per_bar()
    mean = min(most, max(least, profile.density * float(request.metre.bar)))
    known = folk_statistics(profile.style).rhythms.get(request.metre.name, ())
    tastes = {rhythm.lengths: rng.gammavariate(_TASTE_SHAPE, 1 / _TASTE_SHAPE) + _LEAST_TASTE for rhythm in known}
    wished = RhythmWishes(profile.style, least, most, mean, tastes)
    roles = _roles(form)
    bars: list[Lengths] = []
    for index, bar in enumerate(form):
        if bar.relation == "new":
            bars.append(_choose_bar(request.metre, roles[index], wished, bars, rng))
        else:
            bars.append(bars[bar.source])
    if not _ends_with_longest(bars[-1]):
        bars[-1] = _choose_bar(request.metre, END, wished, bars[:-1], rng)
    bars = _fill_up(request, bars, wished, rng)
    return [*bars[:-1], _with_last_chord(request, bars[-1])]


def _with_last_chord(request: MelodyRequest, lengths: Lengths) -> Lengths:
    """Return the last bar with a note that begins with the last chord, so that the melody can rest on that chord."""
    if not request.chords:
        return lengths
    bar = request.metre.bar
    into = GRID * (request.chords[-1].start - (request.measures - 1) * bar) - int(bar * GRID) + lengths[-1]
    if not 0 < into < lengths[-1] or into % SHORTEST:
        return lengths
    return (*lengths[:-1], int(into), lengths[-1] - int(into))


def pickup_rhythm(request: MelodyRequest, bars: Sequence[Lengths]) -> Lengths:
    """Return the note lengths of the pickup. They are the same as at the end of the first bar."""
    wanted = int(request.pickup * GRID)
    lengths: list[int] = []
    for length in reversed(bars[0]):
        lengths.insert(0, min(length, wanted - sum(lengths)))
        if sum(lengths) == wanted:
            break
    return tuple(lengths)


def make_timings(request: MelodyRequest, bars: Sequence[Lengths]) -> tuple[NoteTiming, ...]:
    """Return the timing of every note, including the pickup."""
    timings = []
    if request.pickup:
        lengths = pickup_rhythm(request, bars)
        strengths = _strengths(request.metre, lengths, request.metre.bar - request.pickup)
        timings += _place_notes(lengths, -request.pickup, 0, strengths)
    known = {lengths: _strengths(request.metre, lengths, Fraction(0)) for lengths in set(bars)}
    for index, lengths in enumerate(bars):
        timings += _place_notes(lengths, index * request.metre.bar, index + 1, known[lengths])
    return tuple(timings)


def make_even_bars(request: MelodyRequest, notes: int, rng: random.Random) -> list[Lengths]:
    """Make bars with `notes` notes in total, distributed evenly. Needed if the last note is many moves away."""
    share, more = divmod(notes, request.measures)
    counts = [share + (index < more) for index in range(request.measures)]
    return [make_bar(request.metre, max(1, count), rng) for count in counts]


def most_notes_per_bar(metre: Metre) -> int:
    """Return how many of the shortest notes fit in a bar."""
    return int(metre.bar * GRID) // _shortest(metre)


def make_bar(metre: Metre, count: int, rng: random.Random) -> Lengths:
    """Make a bar of `count` notes from its beats: join the weakest beats, or split the longest notes."""
    starts = [int(beat * GRID) for beat in metre.beats]
    bar = int(metre.bar * GRID)
    while len(starts) > count:
        weakest = min(metre.strength(Fraction(start, GRID)) for start in starts[1:])
        starts.remove(rng.choice([at for at in starts[1:] if metre.strength(Fraction(at, GRID)) == weakest]))
    while len(starts) < count:
        lengths = _lengths(starts, bar)
        longest = max(lengths)
        place = rng.choice([index for index, length in enumerate(lengths) if length == longest])
        starts.insert(place + 1, starts[place] + _split(longest, metre, rng))
    return _lengths(starts, bar)


def _split(length: int, metre: Metre, rng: random.Random) -> int:
    """Return the length of the first part of a split note: half of it, or mostly two thirds if it has three parts."""
    unit, shortest = int(metre.unit * GRID), _shortest(metre)
    if length % 3 == 0 and length // 3 in (unit, 2 * unit, 4 * unit):
        return length // 3 if rng.random() < 0.15 else 2 * length // 3
    return max(shortest, length // 2 // shortest * shortest)


def _shortest(metre: Metre) -> int:
    """Return the length of the shortest note."""
    return min(SHORTEST, int(metre.unit * GRID))


def _lengths(starts: Sequence[int], bar: int) -> Lengths:
    return tuple(end - start for start, end in zip(starts, [*starts[1:], bar], strict=True))


def _place_notes(lengths: Lengths, start: Fraction, measure: int, strengths: Sequence[int]) -> list[NoteTiming]:
    onsets = accumulate(lengths[:-1], initial=0)
    return [
        NoteTiming(start + Fraction(onset, GRID), Fraction(length, GRID), measure, strength)
        for onset, length, strength in zip(onsets, lengths, strengths, strict=True)
    ]


def _strengths(metre: Metre, lengths: Lengths, start: Fraction) -> list[int]:
    """Return the metrical strength of each onset. The first note begins `start` quarters after the bar line."""
    return [metre.strength(start + Fraction(onset, GRID)) for onset in accumulate(lengths[:-1], initial=0)]


def _roles(form: Sequence[FormBar]) -> list[int]:
    """Return the role of each bar. If the last bar repeats an earlier bar, the earlier bar has the same role."""
    roles = []
    for index, bar in enumerate(form):
        last = index == len(form) - 1
        roles.append(END if last else PHRASE_END if bar.answers or is_phrase_end(index, len(form)) else index % 4)
    first_of_last = form[-1].source
    while form[first_of_last].source != first_of_last:
        first_of_last = form[first_of_last].source
    if first_of_last != len(form) - 1:
        roles[first_of_last] = END
    return roles


def _choose_bar(
    metre: Metre, role: int, wished: RhythmWishes, earlier: Sequence[Lengths], rng: random.Random
) -> Lengths:
    """Draw a bar of folk tunes that is not among the `earlier` bars, or make one if too few are known."""
    known = _known_rhythms(metre, role, wished)
    fresh = [rhythm for rhythm in known if role == END or rhythm.lengths not in earlier]
    if len(known) < _ENOUGH_RHYTHMS or not fresh:
        return _combine_metres(metre, role, wished, rng) or make_bar(
            metre, rng.randint(_fewest_notes(metre, role, wished), wished.most), rng
        )
    distinct = set(earlier)
    weights = [
        rhythm.counts[role]
        * wished.tastes[rhythm.lengths]
        * _likeness(rhythm.lengths, distinct)
        * _count_weight(metre, len(rhythm.lengths), role, wished)
        for rhythm in fresh
    ]
    if role == END:
        weights = [float(rhythm.counts[role]) for rhythm in fresh]
    if has_beats_of_three(metre) and role != END:
        hidden = _HIDDEN_BEAT if role == PHRASE_END else 0.0
        shown = [1.0 if _shows_beats(metre, rhythm.lengths) else hidden for rhythm in fresh]
        weights = [weight * factor for weight, factor in zip(weights, shown, strict=True)]
    if not any(weights):
        return make_bar(metre, rng.randint(_fewest_notes(metre, role, wished), wished.most), rng)
    return rng.choices(fresh, weights)[0].lengths


def _count_weight(metre: Metre, notes: int, role: int, wished: RhythmWishes) -> float:
    """Return a factor that is 1 for the wished number of notes in a bar. It is always 1 at ends of phrases.

    In beats of three, only the end of the melody is free: there the last bars of phrases keep moving.
    """
    in_threes = has_beats_of_three(metre)
    if role == END or (role == PHRASE_END and not in_threes):
        return 1.0
    mean = min(float(wished.most), _INSIDE_PHRASES * wished.mean)
    width = (_COUNT_WIDTH_IN_THREES if in_threes else _COUNT_WIDTH) * mean + 0.5
    return math.exp(-(((notes - mean) / width) ** 2) / 2)


def _ends_with_longest(lengths: Lengths) -> bool:
    """Return whether no note of the bar is longer than its last note."""
    return lengths[-1] == max(lengths)


def _shows_beats(metre: Metre, lengths: Lengths) -> bool:
    """Return whether a note begins on each beat."""
    return {int(beat * GRID) for beat in metre.beats} <= set(accumulate(lengths[:-1], initial=0))


def _fewest_notes(metre: Metre, role: int, wished: RhythmWishes) -> int:
    """Return the smallest number of notes in a bar that is made. The last bar of a phrase may have fewer."""
    if has_beats_of_three(metre) and role != END:
        return min(wished.most, max(wished.least, len(metre.beats)))
    return wished.least if role < PHRASE_END else max(1, wished.least // 2)


def _known_rhythms(metre: Metre, role: int, wished: RhythmWishes) -> list[BarRhythm]:
    return [
        rhythm
        for rhythm in folk_statistics(wished.style).rhythms.get(metre.name, ())
        if rhythm.counts[role]
        and len(rhythm.lengths) <= wished.most
        and (role != END or _ends_with_longest(rhythm.lengths))
    ]


def _combine_metres(metre: Metre, role: int, wished: RhythmWishes, rng: random.Random) -> Lengths | None:
    """Draw a bar made of bars of two other metres.

    Return None if the metre cannot be combined, or if no draw has an allowed number of notes.
    """
    parts = _COMBINED_METRES.get(metre.name)
    if parts is None:
        return None
    for _ in range(8):
        lengths: Lengths = ()
        for index, name in enumerate(parts):
            part_role = role if index == len(parts) - 1 else 0
            known = [
                rhythm for rhythm in folk_statistics(wished.style).rhythms.get(name, ()) if rhythm.counts[part_role]
            ]
            weights = [rhythm.counts[part_role] for rhythm in known]
            lengths += rng.choices(known, weights)[0].lengths if known else (GRID,)
        hides = has_beats_of_three(metre) and role != END and not _shows_beats(metre, lengths)
        is_counted = _fewest_notes(metre, role, wished) <= len(lengths) <= wished.most
        if is_counted and not hides and (role != END or _ends_with_longest(lengths)):
            return lengths
    return None


def _likeness(lengths: Lengths, earlier: Set[Lengths]) -> float:
    """Return a factor that is larger the more notes a bar shares with an earlier bar: tunes reuse their rhythms."""
    if not earlier:
        return 1.0
    notes = _onsets_and_lengths(lengths)
    shared = max(len(notes & _onsets_and_lengths(other)) / max(len(lengths), len(other)) for other in earlier)
    return 1.0 + (_MOST_LIKENESS - 1.0) * shared


@lru_cache(4096)
def _onsets_and_lengths(lengths: Lengths) -> frozenset[tuple[int, int]]:
    return frozenset(zip(accumulate(lengths[:-1], initial=0), lengths, strict=True))


def _fill_up(request: MelodyRequest, bars: list[Lengths], wished: RhythmWishes, rng: random.Random) -> list[Lengths]:
    """Replace bars with few notes until the mean number of notes per bar is at least the smallest that was wished."""
    least = wished.least
    missing = least * len(bars) - sum(map(len, bars))
    for index in sorted(range(len(bars) - 1), key=lambda index: len(bars[index])):
        if missing > 0 and len(bars[index]) < least:
            known = [bar for bar in bars if len(bar) >= least]
            fuller = rng.choice(known) if known else make_bar(request.metre, least, rng)
            missing -= len(fuller) - len(bars[index])
            bars[index] = fuller
    if missing > 0:
        bars[-1] = make_bar(request.metre, min(wished.most, len(bars[-1]) + missing), rng)
    return bars
