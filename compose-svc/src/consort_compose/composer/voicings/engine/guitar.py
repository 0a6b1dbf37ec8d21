"""Find frets on a guitar in standard tuning: for given notes, or for any playable shape of a chord.

A hand covers four frets and has four fingers. The first finger may press several strings at one fret (a barre); then
these strings cannot be open. Open strings need no finger.
"""

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from consort_compose.composer.voicings.engine.tone_weights import MAIN_TONE, ToneWeights, essential_tones, tone_weights
from consort_music.chords.symbol import ChordSymbol

TUNING = (40, 45, 50, 55, 59, 64)
"""E2 A2 D3 G3 B3 E4."""
HIGHEST_FRET = 24
_SPAN = 3
"""The largest distance between the lowest and the highest pressed fret."""
_FINGERS = 4
_HIGHEST_POSITION = 9
"""The highest fret of the first finger in `shapes`."""
_OPEN_POSITION = 4
"""Up to this position any string may be open; above it, only the bass string."""


class Fingering(NamedTuple):
    """How a hand plays a chord."""

    frets: tuple[int | None, ...]
    """One fret per string, from the low E up: 0 for an open string, None for a silent one."""
    barre: int | None
    """The fret of the barre, or None if there is no barre."""
    fingers: int
    """The number of fingers that press strings."""

    @property
    def notes(self) -> tuple[int, ...]:
        return tuple(sorted(open_ + fret for open_, fret in zip(TUNING, self.frets, strict=True) if fret is not None))

    @property
    def position(self) -> int:
        """The lowest pressed fret; 0 if all strings are open."""
        return min((fret for fret in self.frets if fret), default=0)


def fingerings(notes: Sequence[int]) -> list[Fingering]:
    """Return every way to play exactly these notes, the easiest first."""
    wanted = sorted(notes)
    found = []
    for strings in itertools.combinations(range(6), len(wanted)):
        frets: list[int | None] = [None] * 6
        for string, note in zip(strings, wanted, strict=True):
            frets[string] = note - TUNING[string]
        if all(fret is None or 0 <= fret <= HIGHEST_FRET for fret in frets):
            fingering = finger(tuple(frets))
            if fingering:
                found.append(fingering)
    return sorted(found, key=effort)


def finger(frets: tuple[int | None, ...]) -> Fingering | None:
    """Return the fingering of these frets, or None if no hand can play them."""
    pressed = [fret for fret in frets if fret]
    if not pressed:
        return Fingering(frets, None, 0)
    lowest = min(pressed)
    if max(pressed) - lowest > _SPAN:
        return None
    if len(pressed) <= _FINGERS:
        return Fingering(frets, None, len(pressed))
    barred = [string for string, fret in enumerate(frets) if fret == lowest]
    under = frets[barred[0] : barred[-1] + 1]
    if any(fret == 0 for fret in under):
        return None
    fingers = 1 + len(pressed) - len(barred)
    return Fingering(frets, lowest, fingers) if fingers <= _FINGERS else None


def effort(fingering: Fingering) -> float:
    """Return how hard a fingering is.

    A high position, a stretch, many fingers, a barre, and damped or open strings between the played ones make it hard.
    """
    frets = fingering.frets
    sounding = [string for string, fret in enumerate(frets) if fret is not None]
    pressed = [string for string, fret in enumerate(frets) if fret]
    cost = 2.0 * frets[sounding[0] : sounding[-1]].count(None)
    if pressed:
        highest = max(frets[string] or 0 for string in pressed)
        cost += 0.25 * highest + 0.3 * (highest - fingering.position) + 0.4 * fingering.fingers
        cost += 0.2 * frets[pressed[0] : pressed[-1]].count(0) + 0.9 * (fingering.barre is not None)
    return cost


@lru_cache(maxsize=512)
def shapes(chord: ChordSymbol, bass: int, low: int, high: int) -> tuple[Fingering, ...]:
    """Return the shapes of a chord over the pitch class `bass`, with all notes between `low` and `high`.

    The best come first: shapes with all chord tones, many strings and an easy fingering.
    """
    tones = {*essential_tones(chord, 5), bass}
    costs = tone_weights(chord)
    main = {tone for tone, missing in costs.missing.items() if missing >= MAIN_TONE}
    for strings in (4, 3, 2):
        found = []
        for frets in _frets(tones, bass, low, high, strings):
            notes = [open_ + fret for open_, fret in zip(TUNING, frets, strict=True) if fret is not None]
            classes = [note % 12 for note in notes]
            if len(set(notes)) < len(notes) or not main.issubset(classes):
                continue
            fingering = finger(frets)
            if fingering is not None:
                found.append((effort(fingering) + _sound_cost(classes, costs), fingering))
        if found:
            found.sort(key=lambda item: (item[0], str(item[1].frets)))
            return tuple(fingering for _, fingering in found)
    return ()


def _sound_cost(classes: list[int], costs: ToneWeights) -> float:
    """Return the cost of how a shape sounds. It falls with more notes, and rises for missing and doubled tones."""
    total = -1.1 * len(classes)
    for tone, missing in costs.missing.items():
        times = classes.count(tone)
        if times == 0:
            total += 0.2 * missing
        elif times > 1:
            total += 0.05 * costs.doubled[tone]
    return total


def _frets(tones: set[int], bass: int, low: int, high: int, strings: int) -> Iterator[tuple[int | None, ...]]:
    """Yield every choice of frets within a hand's reach whose lowest note is the bass.

    At least `strings` strings sound, and at most one string between sounding strings is damped. Strings are added one
    by one from the low E up. Choices that no hand can play are dropped immediately.
    """
    for position in range(1, _HIGHEST_POSITION + 1):
        hand = tuple(range(position, position + _SPAN + 1))
        low_position = position <= _OPEN_POSITION
        # (frets so far, lowest note, damped strings between sounding ones, fingers above the position's fret,
        # whether a finger is on that fret). The first finger is for the position's fret, so three are left above it.
        begun: list[tuple[tuple[int | None, ...], int, int, int, bool]] = []
        for string, open_ in enumerate(TUNING):
            notes = [fret for fret in hand if (open_ + fret) % 12 in tones and low <= open_ + fret <= high]
            rings_open = open_ % 12 in tones and low <= open_ <= high
            if rings_open and low_position:
                notes.append(0)
            grown = []
            for frets, lowest, damped, above, at in begun:
                damped_here = damped + (frets[-1] is None)
                if damped_here <= 1:
                    for fret in notes:
                        fingers = above + (fret > position)
                        if fingers < _FINGERS and open_ + fret > lowest:
                            grown.append(((*frets, fret), lowest, damped_here, fingers, at or fret == position))
                if 6 - frets.count(None) > strings:
                    grown.append(((*frets, None), lowest, damped, above, at))
            if string <= 6 - strings:
                silent = (None,) * string
                starts = notes if low_position or not rings_open else [0, *notes]
                for fret in starts:
                    if (open_ + fret) % 12 == bass:
                        grown.append(((*silent, fret), open_ + fret, 0, int(fret > position), fret == position))
            begun = grown
        for frets, _, _, above, at in begun:
            if (at or (position == 1 and not above)) and 6 - frets.count(None) >= strings:
                yield frets
