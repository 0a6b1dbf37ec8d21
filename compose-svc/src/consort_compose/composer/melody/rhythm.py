"""Note values: bars of folk tunes where the metre has some, and for every other metre beats, split and joined."""

import random
from collections.abc import Sequence, Set
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from consort_compose.composer.melody.form import Bar, is_phrase_end
from consort_compose.composer.melody.request import Beat, MelodyRequest
from consort_compose.composer.melody.tables import GRID, BarRhythm, tables
from consort_music.metre import Metre

Lengths = tuple[int, ...]
"""In GRID parts of a quarter; a bar's add up to the bar."""

FINEST = GRID // 4
"""A sixteenth: no note is shorter."""
INSIDE, PHRASE_END, END = 0, 1, 2
_PARTS = {
    "12/8": ("6/8", "6/8"),
    "5/4": ("3/4", "2/4"),
    "7/4": ("4/4", "3/4"),
    "7/8": ("2/4", "3/8"),
    "11/8": ("4/4", "3/8"),
    "8/4": ("4/4", "4/4"),
    "4/2": ("2/2", "2/2"),
}
"""Bars that are made of bars of other metres."""
_ENOUGH = 4
"""With fewer known rhythms than this for a metre and density, bars are made from beats."""
_TOO_LONG = 0.05
_LIKENESS = 8.0
"""How much more likely a bar is that has all of its beats in common with an earlier one."""


def choose_rhythm(request: MelodyRequest, form: Sequence[Bar], rng: random.Random) -> list[Lengths]:
    """The lengths in each full bar. As a whole the notes a bar are within the density; a bar that ends a phrase may
    have fewer."""
    least, most = request.notes_a_bar()
    roles = _roles(form)
    bars: list[Lengths] = []
    for index, bar in enumerate(form):
        if bar.relation == "new":
            bars.append(_new_bar(request.metre, roles[index], least, most, bars, rng))
        else:
            bars.append(bars[bar.source])
    if not _can_close(bars[-1]):
        bars[-1] = _new_bar(request.metre, END, least, most, bars[:-1], rng)
    return _filled_up(request, bars, least, rng)


def pickup_rhythm(request: MelodyRequest, bars: Sequence[Lengths]) -> Lengths:
    """The end of a bar that is like the first, as long as the pickup is."""
    wanted = int(request.pickup * GRID)
    lengths: list[int] = []
    for length in reversed(bars[0]):
        lengths.insert(0, min(length, wanted - sum(lengths)))
        if sum(lengths) == wanted:
            break
    return tuple(lengths)


def beats_of(request: MelodyRequest, bars: Sequence[Lengths]) -> tuple[Beat, ...]:
    """Every note's place, the pickup's first."""
    placed = []
    if request.pickup:
        lengths = pickup_rhythm(request, bars)
        strengths = _strengths(request.metre, lengths, request.metre.bar - request.pickup)
        placed += _placed(lengths, -request.pickup, 0, strengths)
    known = {lengths: _strengths(request.metre, lengths, Fraction(0)) for lengths in set(bars)}
    for index, lengths in enumerate(bars):
        placed += _placed(lengths, index * request.metre.bar, index + 1, known[lengths])
    return tuple(placed)


def even_bars(request: MelodyRequest, notes: int, rng: random.Random) -> list[Lengths]:
    """Bars with so many notes in all, shared out as evenly as can be: for a way that is too long."""
    share, more = divmod(notes, request.measures)
    counts = [share + (index < more) for index in range(request.measures)]
    return [made_bar(request.metre, max(1, count), rng) for count in counts]


def most_notes(metre: Metre) -> int:
    """Notes in a bar when all are as short as they may be."""
    return int(metre.bar * GRID) // _finest(metre)


def made_bar(metre: Metre, count: int, rng: random.Random) -> Lengths:
    """A bar of so many notes: one for each beat, then beats joined from the weakest on, or split."""
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
    """Where a note is cut in two: three units mostly into long and short, all else in halves."""
    unit, finest = int(metre.unit * GRID), _finest(metre)
    if length % 3 == 0 and length // 3 in (unit, 2 * unit, 4 * unit):
        return length // 3 if rng.random() < 0.15 else 2 * length // 3
    return max(finest, length // 2 // finest * finest)


def _finest(metre: Metre) -> int:
    return min(FINEST, int(metre.unit * GRID))


def _lengths(starts: Sequence[int], bar: int) -> Lengths:
    return tuple(end - start for start, end in zip(starts, [*starts[1:], bar], strict=True))


def _placed(lengths: Lengths, start: Fraction, measure: int, strengths: Sequence[int]) -> list[Beat]:
    onsets = accumulate(lengths[:-1], initial=0)
    return [
        Beat(start + Fraction(onset, GRID), Fraction(length, GRID), measure, strength)
        for onset, length, strength in zip(onsets, lengths, strengths, strict=True)
    ]


def _strengths(metre: Metre, lengths: Lengths, start: Fraction) -> list[int]:
    """How strong each note's onset is in a bar that it begins so far into."""
    return [metre.strength(start + Fraction(onset, GRID)) for onset in accumulate(lengths[:-1], initial=0)]


def _roles(form: Sequence[Bar]) -> list[int]:
    """What each bar is for; a bar whose rhythm comes back at an end is made for that end."""
    roles = []
    for index in range(len(form)):
        last = index == len(form) - 1
        roles.append(END if last else PHRASE_END if is_phrase_end(index, len(form)) else INSIDE)
    first_of_last = form[-1].source
    while form[first_of_last].source != first_of_last:
        first_of_last = form[first_of_last].source
    if first_of_last != len(form) - 1:
        roles[first_of_last] = PHRASE_END
    return roles


def _new_bar(metre: Metre, role: int, least: int, most: int, earlier: Sequence[Lengths], rng: random.Random) -> Lengths:
    known = _known(metre, role, least, most)
    fresh = [rhythm for rhythm in known if rhythm.lengths not in earlier]
    if len(known) < _ENOUGH or not fresh:
        return _from_parts(metre, role, least, most, rng) or made_bar(
            metre, rng.randint(_fewest(role, least), most), rng
        )
    different = set(earlier)
    weights = [rhythm.counts[role] * _likeness(rhythm.lengths, different) for rhythm in fresh]
    if role == END and earlier:  # the last note is seldom longer than others at the ends of phrases
        longest = max(map(max, earlier))
        fits = (1.0 if rhythm.lengths[-1] <= longest else _TOO_LONG for rhythm in fresh)
        weights = [weight * fit for weight, fit in zip(weights, fits, strict=True)]
    return rng.choices(fresh, weights)[0].lengths


def _can_close(lengths: Lengths) -> bool:
    """Whether a bar comes to rest: its last note is its longest."""
    return lengths[-1] == max(lengths)


def _fewest(role: int, least: int) -> int:
    """The last bar of a phrase may rest on a long note."""
    return least if role == INSIDE else max(1, least // 2)


def _known(metre: Metre, role: int, least: int, most: int) -> list[BarRhythm]:
    fewest = _fewest(role, least)
    return [
        rhythm
        for rhythm in tables().rhythms.get(metre.name, ())
        if rhythm.counts[role] and fewest <= len(rhythm.lengths) <= most and (role != END or _can_close(rhythm.lengths))
    ]


def _from_parts(metre: Metre, role: int, least: int, most: int, rng: random.Random) -> Lengths | None:
    parts = _PARTS.get(metre.name)
    if parts is None:
        return None
    for _ in range(8):
        lengths: Lengths = ()
        for index, name in enumerate(parts):
            part_role = role if index == len(parts) - 1 else INSIDE
            known = [rhythm for rhythm in tables().rhythms.get(name, ()) if rhythm.counts[part_role]]
            weights = [rhythm.counts[part_role] for rhythm in known]
            lengths += rng.choices(known, weights)[0].lengths if known else (GRID,)
        if _fewest(role, least) <= len(lengths) <= most and (role != END or _can_close(lengths)):
            return lengths
    return None


def _likeness(lengths: Lengths, earlier: Set[Lengths]) -> float:
    """Tunes keep to their note values: more weight for a bar that begins or ends like an earlier one."""
    if not earlier:
        return 1.0
    onsets = _onsets(lengths)
    shared = max(len(onsets & _onsets(other)) / max(len(lengths), len(other)) for other in earlier)
    return 1.0 + (_LIKENESS - 1.0) * shared


@lru_cache(4096)
def _onsets(lengths: Lengths) -> frozenset[tuple[int, int]]:
    return frozenset(zip(accumulate(lengths[:-1], initial=0), lengths, strict=True))


def _filled_up(request: MelodyRequest, bars: list[Lengths], least: int, rng: random.Random) -> list[Lengths]:
    """Where too many bars rest, phrase ends get more notes, until the mean is in range."""
    missing = least * len(bars) - sum(map(len, bars))
    for index, lengths in enumerate(bars):
        if missing > 0 and len(lengths) < least:
            bars[index] = made_bar(request.metre, least, rng)
            missing -= least - len(lengths)
    return bars
