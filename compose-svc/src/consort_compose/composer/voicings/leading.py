"""From one chord to the next with the least motion, exactly.

Motion is counted in semitones. With as many notes as before each voice moves once; with more or fewer, as few voices as
possible split or join. Voices never cross, since crossing never saves motion.
"""

from collections.abc import Iterator, Sequence
from operator import sub

from consort_compose.composer.voicings.tones import essential, weights
from consort_music.chords import ChordSymbol

_REACH = 14
"""How far a voice may go, in semitones; further than an octave is never the least."""


def motion(before: Sequence[int], after: Sequence[int]) -> int:
    """The least number of semitones that leads from one set of notes to the other."""
    fewer, more = sorted(before), sorted(after)
    if len(fewer) == len(more):
        return sum(map(abs, map(sub, fewer, more)))
    if len(fewer) > len(more):
        fewer, more = more, fewer
    if not fewer:
        return 0
    # best[i]: the notes of `more` so far are paired, the last with fewer[i]
    best = [float("inf")] * len(fewer)
    best[0] = abs(more[0] - fewer[0])
    for note in more[1:]:
        for at in range(len(fewer) - 1, 0, -1):
            best[at] = min(best[at], best[at - 1]) + abs(note - fewer[at])
        best[0] += abs(note - fewer[0])
    return int(best[-1])


State = tuple[int, int, int, int]
"""The voice before that was led last, how many voices have split or joined, the last note, the tones had so far."""
Layer = dict[State, tuple[float, tuple[int, ...]]]
"""For each state the least it took, and the notes that it took them."""


def lead(
    chord: ChordSymbol, before: Sequence[int], low: int, high: int, bass: int | None = None, most: int = 10
) -> tuple[int, ...] | None:
    """The voicing of a chord that is nearest to the notes before it: it has every tone of the chord for which there are
    voices, the bass that was asked for, and as many notes as before (or as many as the chord's main tones need)."""
    before = sorted(set(before))
    search = _Search(chord, bass, low, high, voices=_voices(chord, bass, len(before), most))
    splits, joins = max(search.voices - len(before), 0), max(len(before) - search.voices, 0)
    layer: Layer = {}
    for note in search.near(before[0], low - 1):
        if note % 12 == bass or (bass is None and note % 12 in search.bit):
            layer[0, 0, note, search.bit[note % 12]] = (float(abs(note - before[0])), (note,))
    for _ in range(search.voices + joins - 1):
        following: Layer = {}
        for (at, used, last, had), (cost, notes) in layer.items():
            if at + 1 < len(before):
                search.go_on(following, (at + 1, used), before[at + 1], last, had, cost, notes)
                if used < joins:
                    _keep(following, (at + 1, used + 1, last, had), cost + abs(last - before[at + 1]), notes)
            if used < splits:
                search.go_on(following, (at, used + 1), before[at], last, had, cost, notes)
        layer = following
    ends = [
        (cost, notes)
        for (at, _, _, had), (cost, notes) in layer.items()
        if had == search.all_tones and at == len(before) - 1 and len(notes) == search.voices
    ]
    return min(ends)[1] if ends else None


def _voices(chord: ChordSymbol, bass: int | None, before: int, most: int) -> int:
    tones = {tone.pitch_class for tone in chord.tones}
    needed = min(len(tones), 4) + (bass is not None and bass not in tones)
    return min(max(before, needed), most)


class _Search:
    def __init__(self, chord: ChordSymbol, bass: int | None, low: int, high: int, voices: int) -> None:
        tones = {tone.pitch_class for tone in chord.tones}
        needed = list(essential(chord, voices))
        if bass is not None and bass not in needed:
            needed = [bass, *essential(chord, voices - 1)]
        self.voices = voices
        self.bit = {tone: 1 << place for place, tone in enumerate(needed)}
        self.all_tones = (1 << len(needed)) - 1
        self._doubling = weights(chord).doubled
        self._above_bass = tones if bass is None or bass in tones else tones - {bass}
        self._allowed = tones | set(needed)
        self._low, self._high = low, high

    def near(self, target: int, above: int) -> Iterator[int]:
        """Notes of the chord that a voice at `target` may go to, above the voice below it."""
        for note in range(max(above + 1, target - _REACH, self._low), min(self._high, target + _REACH) + 1):
            if note % 12 in self._allowed:
                yield note

    def go_on(
        self,
        layer: Layer,
        place: tuple[int, int],
        target: int,
        last: int,
        had: int,
        cost: float,
        notes: tuple[int, ...],
    ) -> None:
        for note in self.near(target, last):
            tone = note % 12
            if tone in self._above_bass:
                bit = self.bit.get(tone, 0)
                again = 0.01 * self._doubling[tone] if had & bit or not bit else 0.0  # decides between equal motions
                _keep(layer, (*place, note, had | bit), cost + abs(note - target) + again, (*notes, note))


def _keep(layer: Layer, state: State, cost: float, notes: tuple[int, ...]) -> None:
    known = layer.get(state)
    if known is None or cost < known[0]:
        layer[state] = (cost, notes)
