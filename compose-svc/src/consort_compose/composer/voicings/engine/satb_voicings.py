"""The voicings of one chord for four voices, each with a cost.

Small costs: missing tones, doubled tones, unisons, wide gaps, and notes far from the middle of a voice's range. Notes
outside the range cost much more.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from consort_compose.composer.voice_ranges import VOICE_RANGES, VOICES
from consort_music.chords.symbol import ChordSymbol
from consort_music.chords.tone_weights import MAIN_TONE, essential_tones, tone_weights
from consort_music.errors import MusicError
from consort_music.pitch import Pitch

SatbNotes = tuple[int, int, int, int]
"""MIDI numbers, soprano first."""
RANGES = tuple(VOICE_RANGES[voice].midi for voice in VOICES)
"""The lowest and the highest note of each voice, soprano first."""
PAIRS = ((0, 3), (0, 1), (0, 2), (1, 3), (2, 3), (1, 2))
"""All pairs of voices as indexes (upper, lower). The outer voices are the first pair."""
_CENTRES = (70, 65, 58, 50)
"""The MIDI note in the middle of each voice's usual range."""
_CENTRE_WEIGHTS = (0.12, 0.1, 0.1, 0.05)
"""For each voice, the cost per semitone of distance from its centre."""
_FINAL_INVERSION_COST = 40.0
"""The cost of an inversion at the end that the symbol does not name."""
_MOST_VOICINGS = 36
"""The largest number of voicings of one chord that the search considers."""


class SatbVoicing(NamedTuple):
    """A voicing, and precomputed values for the cost of moving to the next voicing."""

    notes: SatbNotes
    cost: float
    perfect: tuple[int, ...]
    """One value for each pair in `PAIRS`: 7 for a fifth, 12 for an octave or unison, otherwise 0."""
    falling: tuple[int, ...]
    """The voices that have the chord's minor or diminished seventh, which should fall."""
    rising: tuple[int, ...]
    """The voices that have the chord's major third, which should rise if the chord resolves as a dominant."""


@lru_cache(maxsize=8192)
def _good_voicings(chord: ChordSymbol, soprano: int | None, free_bass: bool) -> tuple[SatbVoicing, ...]:
    """Return the cheapest voicings of a chord, best first.

    If no voicing within the rules has all main tones of the chord, wider gaps are allowed, then notes outside the
    ranges, and finally voices in unison with the melody.
    """
    coverage = _Coverage(chord, free_bass)
    found: list[tuple[SatbNotes, float]] = []
    for reach, gap in ((0, 12), (0, 24), (7, 24), (19, 127), (127, 127)):
        found += _candidates(coverage, soprano, reach, gap)
        found.sort(key=lambda item: item[1])
        if found and coverage.has_main_tones(found[0][0]):
            break
    limit = found[0][1] + 60.0
    return tuple(_voicing(notes, cost, chord) for notes, cost in found[:_MOST_VOICINGS] if cost <= limit)


def penalize_final_inversions(voicings: tuple[SatbVoicing, ...], chord: ChordSymbol) -> tuple[SatbVoicing, ...]:
    """Return the voicings of the last chord, with a high cost for inversions."""
    own = chord.bass_pitch_class
    return tuple(
        voicing if voicing.notes[3] % 12 == own else voicing._replace(cost=voicing.cost + _FINAL_INVERSION_COST)
        for voicing in voicings
    )


def voicings_in_range(
    chord: ChordSymbol, soprano: int | None, free_bass: bool, low: int, high: int
) -> tuple[SatbVoicing, ...]:
    """Return the voicings in which all voices, except a given soprano, are between `low` and `high`.

    Raise INVALID_RANGE if there is none.
    """
    voicings = _good_voicings(chord, soprano, free_bass)
    if low <= RANGES[3][0] and high >= RANGES[0][1]:
        return voicings
    top = 0 if soprano is None else 1
    found = [voicing for voicing in voicings if low <= voicing.notes[3] and voicing.notes[top] <= high]
    if not found and soprano is None:
        every = all_voicings(chord, free_bass)
        found = [_voicing(notes, cost, chord) for notes, cost in every if low <= notes[3] and notes[0] <= high][
            :_MOST_VOICINGS
        ]
    if not found:
        raise MusicError(
            "INVALID_RANGE",
            f"{chord.name} has no voicing for four voices between {Pitch.from_midi(low).name} and "
            f"{Pitch.from_midi(high).name}. Give range_low and range_high at least two octaves apart, such as E2 and "
            "A5.",
            ["range_low: E2, range_high: A5"],
            "range_low",
        )
    return tuple(found)


def all_voicings(chord: ChordSymbol, free_bass: bool = False) -> list[tuple[SatbNotes, float]]:
    """Return every voicing of a chord within the ranges of the voices, with its cost, best first.

    Soprano and alto, and alto and tenor, are at most an octave apart.
    """
    return sorted(_candidates(_Coverage(chord, free_bass), None, 0, 12), key=lambda item: item[1])


class _Coverage:
    """Computes how well four pitch classes represent a chord: costs for missing and doubled tones and another bass.

    Costs are cached.
    """

    def __init__(self, chord: ChordSymbol, free_bass: bool) -> None:
        self._weights = tone_weights(chord)
        self._known: dict[tuple[int, ...], float] = {}
        self.tones = set(essential_tones(chord, 5))
        self.basses = _bass_costs(chord, free_bass)

    def cost(self, classes: tuple[int, int, int, int]) -> float:
        known = self._known.get(classes)
        if known is None:
            known = self._known[classes] = self._compute_cost(classes)
        return known

    def has_main_tones(self, notes: SatbNotes) -> bool:
        present = {note % 12 for note in notes}
        return all(tone in present for tone, cost in self._weights.missing.items() if cost >= MAIN_TONE)

    def _compute_cost(self, classes: tuple[int, int, int, int]) -> float:
        cost = self.basses.get(classes[3], 40.0)
        cost += sum(missing for tone, missing in self._weights.missing.items() if tone not in classes)
        for tone in set(classes):
            more = classes.count(tone) - 1
            if more:
                cost += more * (self._weights.doubled.get(tone, 0.0) + 4.0 * (more - 1))
        return cost


def _candidates(coverage: _Coverage, soprano: int | None, reach: int, gap: int) -> Iterable[tuple[SatbNotes, float]]:
    tops = _notes(coverage.tones, 0, reach) if soprano is None else [soprano]
    altos, tenors = _notes(coverage.tones, 1, reach), _notes(coverage.tones, 2, reach)
    lows = _notes(coverage.basses, 3, reach)
    if reach == 127:
        altos, tenors, lows = [*altos, *tops], [*tenors, *tops], [*lows, *tops]
    priced_altos, priced_tenors, priced_lows = _priced(altos, 1), _priced(tenors, 2), _priced(lows, 3)
    for s, s_cost in _priced(tops, 0):
        for a, a_cost in priced_altos:
            if not 0 <= s - a <= gap:
                continue
            upper = s_cost + a_cost + _spacing_cost(s - a)
            for t, t_cost in priced_tenors:
                if not 0 <= a - t <= gap:
                    continue
                middle = upper + t_cost + _spacing_cost(a - t)
                for b, b_cost in priced_lows:
                    if b <= t:
                        cost = middle + b_cost + coverage.cost((s % 12, a % 12, t % 12, b % 12))
                        if b == t:
                            cost += 2.0
                        elif t - b > 19:
                            cost += 0.6 * (t - b - 19)
                        yield (s, a, t, b), cost


def _notes(classes: Iterable[int], voice: int, reach: int) -> list[int]:
    low, high = RANGES[voice]
    wanted = set(classes)
    return [note for note in range(max(low - reach, 0), min(high + reach, 127) + 1) if note % 12 in wanted]


def _priced(notes: Iterable[int], voice: int) -> list[tuple[int, float]]:
    """Return each note with its cost in a voice: small for distance from the centre, large outside the range."""
    low, high = RANGES[voice]
    priced = []
    for note in notes:
        cost = abs(note - _CENTRES[voice]) * _CENTRE_WEIGHTS[voice]
        if not low <= note <= high:
            cost += 30.0 + 6.0 * max(low - note, note - high)
        priced.append((note, cost))
    return priced


def _spacing_cost(gap: int) -> float:
    """Return the cost of a gap, in semitones, between two upper voices. A unison and more than an octave cost."""
    if gap == 0:
        return 5.0
    return 30.0 + 2.0 * gap if gap > 12 else 0.0


def _bass_costs(chord: ChordSymbol, free_bass: bool) -> dict[int, float]:
    """Return the cost of each pitch class that is allowed in the bass."""
    bass = chord.bass_pitch_class
    assert bass is not None
    costs = {bass: 0.0}
    if free_bass and chord.bass is None:
        for degree, tone in zip(chord.degrees, chord.tones, strict=True):
            if degree[0] in (3, 5, 7):
                costs.setdefault(tone.pitch_class, {3: 4.0, 5: 14.0, 7: 10.0}[degree[0]])
    return costs


def _voicing(notes: SatbNotes, cost: float, chord: ChordSymbol) -> SatbVoicing:
    perfect = []
    for upper, lower in PAIRS:
        interval = (notes[upper] - notes[lower]) % 12
        perfect.append(12 if interval == 0 else 7 if interval == 7 else 0)
    sevenths, thirds = set(), set()
    for (number, alteration), tone in zip(chord.degrees, chord.tones, strict=True):
        if number == 7 and alteration < 0:
            sevenths.add(tone.pitch_class)
        if (number, alteration) == (3, 0):
            thirds.add(tone.pitch_class)
    falling = tuple(voice for voice, note in enumerate(notes) if note % 12 in sevenths)
    rising = tuple(voice for voice, note in enumerate(notes) if note % 12 in thirds)
    return SatbVoicing(notes, cost, tuple(perfect), falling, rising)
