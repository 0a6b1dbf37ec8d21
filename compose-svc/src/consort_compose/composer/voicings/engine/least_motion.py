"""Find the voicing of a chord with the least motion from given notes, by exact dynamic programming.

Motion is the sum of the semitones that the voices move. If the number of notes stays the same, each voice moves to one
note. Otherwise as few voices as possible split or join. Voices never cross, because crossing never reduces motion.
"""

from collections.abc import Iterator, Sequence
from operator import sub

from consort_music.chords.symbol import ChordSymbol
from consort_music.chords.tone_weights import essential_tones, tone_weights

_REACH = 14
"""The largest motion of a voice, in semitones. Every tone is less than an octave away, so this is enough."""


def motion(before: Sequence[int], after: Sequence[int]) -> int:
    """Return the least number of semitones that all voices together must move from `before` to `after`."""
    fewer, more = sorted(before), sorted(after)
    if len(fewer) == len(more):
        return sum(map(abs, map(sub, fewer, more)))
    if len(fewer) > len(more):
        fewer, more = more, fewer
    if not fewer:
        return 0
    # best[i] is the least motion for the notes of `more` paired so far, if the last of them is paired with fewer[i].
    best = [float("inf")] * len(fewer)
    best[0] = abs(more[0] - fewer[0])
    for note in more[1:]:
        for at in range(len(fewer) - 1, 0, -1):
            best[at] = min(best[at], best[at - 1]) + abs(note - fewer[at])
        best[0] += abs(note - fewer[0])
    return int(best[-1])


LeadState = tuple[int, int, int, int]
"""(index of the last previous note used, number of voices split or joined, last new note, tones so far as bits)."""
LeadLayer = dict[LeadState, tuple[float, tuple[int, ...]]]
"""For each state, its least cost and the new notes so far."""


def nearest_voicing(
    chord: ChordSymbol, before: Sequence[int], low: int, high: int, bass: int | None = None, most: int = 10
) -> tuple[int, ...] | None:
    """Return the voicing of a chord with the least motion from `before`, or None if no voicing is in the range.

    It has as many notes as `before`, or more if the chord needs them (up to four), but at most `most`. It has the
    chord's most important tones. If `bass` is given, it is the pitch class of the lowest note.
    """
    before = sorted(set(before))
    search = _Search(chord, bass, low, high, voices=_voices(chord, bass, len(before), most))
    splits, joins = max(search.voices - len(before), 0), max(len(before) - search.voices, 0)
    layer: LeadLayer = {}
    for note in search.near(before[0], low - 1):
        if note % 12 == bass or (bass is None and note % 12 in search.bit):
            layer[0, 0, note, search.bit[note % 12]] = (float(abs(note - before[0])), (note,))
    for _ in range(search.voices + joins - 1):
        following: LeadLayer = {}
        for (at, used, last, tones_so_far), (cost, notes) in layer.items():
            if at + 1 < len(before):
                search.add_next_voice(following, (at + 1, used), before[at + 1], last, tones_so_far, cost, notes)
                if used < joins:
                    motion_to_join = abs(last - before[at + 1])
                    _keep_cheapest(following, (at + 1, used + 1, last, tones_so_far), cost + motion_to_join, notes)
            if used < splits:
                search.add_next_voice(following, (at, used + 1), before[at], last, tones_so_far, cost, notes)
        layer = following
    ends = [
        (cost, notes)
        for (at, _, _, tones_so_far), (cost, notes) in layer.items()
        if tones_so_far == search.all_tones and at == len(before) - 1 and len(notes) == search.voices
    ]
    return min(ends)[1] if ends else None


def _voices(chord: ChordSymbol, bass: int | None, before: int, most: int) -> int:
    tones = {tone.pitch_class for tone in chord.tones}
    needed = min(len(tones), 4) + (bass is not None and bass not in tones)
    return min(max(before, needed), most)


class _Search:
    def __init__(self, chord: ChordSymbol, bass: int | None, low: int, high: int, voices: int) -> None:
        tones = {tone.pitch_class for tone in chord.tones}
        needed = list(essential_tones(chord, voices))
        if bass is not None and bass not in needed:
            needed = [bass, *essential_tones(chord, voices - 1)]
        self.voices = voices
        self.bit = {tone: 1 << place for place, tone in enumerate(needed)}
        self.all_tones = (1 << len(needed)) - 1
        self._doubling = tone_weights(chord).doubled
        self._above_bass = tones if bass is None or bass in tones else tones - {bass}
        self._allowed = tones | set(needed)
        self._low, self._high = low, high

    def near(self, target: int, above: int) -> Iterator[int]:
        """Yield the notes of the chord that are higher than `above` and that a voice at `target` can reach."""
        for note in range(max(above + 1, target - _REACH, self._low), min(self._high, target + _REACH) + 1):
            if note % 12 in self._allowed:
                yield note

    def add_next_voice(
        self,
        layer: LeadLayer,
        place: tuple[int, int],
        target: int,
        last: int,
        tones_so_far: int,
        cost: float,
        notes: tuple[int, ...],
    ) -> None:
        """Add to `layer` every state in which the next voice moves from `target` to a note above `last`."""
        for note in self.near(target, last):
            tone = note % 12
            if tone in self._above_bass:
                bit = self.bit.get(tone, 0)
                # A small cost for doubling breaks ties between equal motions.
                doubling = 0.01 * self._doubling[tone] if tones_so_far & bit or not bit else 0.0
                _keep_cheapest(
                    layer, (*place, note, tones_so_far | bit), cost + abs(note - target) + doubling, (*notes, note)
                )


def _keep_cheapest(layer: LeadLayer, state: LeadState, cost: float, notes: tuple[int, ...]) -> None:
    known = layer.get(state)
    if known is None or cost < known[0]:
        layer[state] = (cost, notes)
