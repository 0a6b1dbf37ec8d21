"""Chords on a guitar in standard tuning: which frets sound given notes, and which shapes a chord has.

A hand covers four frets. It has four fingers; the first may lie across several strings (a barre), which then all sound
at that fret or higher. Open strings sound without a finger.
"""

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from consort_compose.composer.voicings.tones import MAIN_TONE, Weights, essential, weights
from consort_music.chords import ChordSymbol

TUNING = (40, 45, 50, 55, 59, 64)
"""E2 A2 D3 G3 B3 E4."""
HIGHEST_FRET = 24
_SPAN = 3
_FINGERS = 4
_HIGHEST_POSITION = 9
_OPEN_POSITION = 4
"""Further up, only the bass is played on an open string."""


class Fingering(NamedTuple):
    """A fret for each string from the low E up, None where it is silent. `barre` is the fret of a barre."""

    frets: tuple[int | None, ...]
    barre: int | None
    fingers: int

    @property
    def notes(self) -> tuple[int, ...]:
        return tuple(sorted(open_ + fret for open_, fret in zip(TUNING, self.frets, strict=True) if fret is not None))

    @property
    def position(self) -> int:
        return min((fret for fret in self.frets if fret), default=0)


def fingerings(notes: Sequence[int]) -> list[Fingering]:
    """Every way to play exactly these notes, the easiest first."""
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
    """The frets with their fingers, if a hand can do it."""
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
    """How hard it is to play: position, stretch, fingers, strings to be damped or left open in between."""
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
    """The shapes of a chord with this bass and within these notes, best first: complete, full and easy."""
    tones = {*essential(chord, 5), bass}
    costs = weights(chord)
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


def _sound_cost(classes: list[int], costs: Weights) -> float:
    """How well a chord sounds with these notes, lower being better: full, complete, the right tones doubled."""
    total = -1.1 * len(classes)
    for tone, missing in costs.missing.items():
        times = classes.count(tone)
        if times == 0:
            total += 0.2 * missing
        elif times > 1:
            total += 0.05 * costs.doubled[tone]
    return total


def _frets(tones: set[int], bass: int, low: int, high: int, strings: int) -> Iterator[tuple[int | None, ...]]:
    """Every choice of frets within a hand's reach whose lowest note is the bass, on so many strings at least and with
    one string damped between them at most."""
    for position in range(1, _HIGHEST_POSITION + 1):
        hand = tuple(range(position, position + _SPAN + 1))
        low_position = position <= _OPEN_POSITION
        # (frets so far, the lowest note, strings damped in between, fingers above the position, whether one is at it);
        # the first finger is at the position, so three are left.
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
