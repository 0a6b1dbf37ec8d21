"""Chord shapes on a fretboard: every way to press given notes, and the playable shapes of a chord symbol.

A hand covers four frets of a guitar, and up to six on short necks where they are as near together. It has four fingers.
The first finger may press several strings at one fret (a barre); then no string from the lowest of these to string 1
can be open. Open strings need no finger.

On guitars and basses, the lowest note of a shape is its bass. On the others (ukulele, banjo, mandolin) any
chord tone may be lowest, and two strings may have the same pitch. The short string of a banjo is open if it belongs to
the chord, otherwise silent. On instruments with more than six strings, strings 7 and up are silent.
"""

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from consort_music.chords.symbol import ChordSymbol
from consort_music.chords.tone_weights import MAIN_TONE, ToneWeights, essential_tones, tone_weights
from consort_music.frets.fretboards import Fretboard
from consort_music.frets.hand import FINGERS, press

_GUITAR_FRETS = 3
"""The largest distance between the lowest and the highest pressed fret on a guitar or bass."""
_MOST_FRETS = 5
_MOST_STRINGS = 6
_SHORT_SCALE_MM = 550.0
_SPAN_MM = 98.0
_HIGHEST_POSITION = 9
"""The highest fret of the first finger in `chord_shapes`."""
_OPEN_POSITION = 4
"""Up to this position any string may be open; above it, only the bass string."""
_LOW_INSTRUMENT = 50
_BASS_GUITAR = 36
"""An instrument whose lowest string is below this pitch has the root in the bass: the first with more than four
strings, the second with four."""
_GUITAR_TUNING = (64, 59, 55, 50, 45, 40)
_OPEN_SHAPES = (
    "x32010 x32310 x32000 x32030 332010 320003 320001 320002 xx0232 xx0231 xx0212 xx0211 xx0222 xx0233 200232 x21202 "
    "xx3210 x20003"
)
_MOVABLE_SHAPES = (
    "022100 022000 020100 020000 021100 022200 020200 x02220 x02210 x02020 x02010 x02120 x02230 x02200 x02030"
)
"""Shapes that every guitarist knows: the first at the nut, the second also with a barre in place of the nut."""
_WELL_KNOWN = 2.0
_WELL_KNOWN_PER_FRET = 0.25
"""What a known shape saves at the nut, and how much less it saves for each fret above it."""


class ChordShape(NamedTuple):
    """How a hand plays a chord."""

    frets: tuple[int | None, ...]
    """One fret per string, from the highest string number down to string 1: 0 if open, None if silent."""
    barre: int | None
    """The fret of the barre, or None if there is no barre."""
    fingers: int
    """The number of fingers that press strings."""
    notes: tuple[int, ...]
    """The MIDI notes from the lowest up."""

    @property
    def position(self) -> int:
        """The lowest pressed fret; 0 if all strings are open."""
        return min((fret for fret in self.frets if fret), default=0)


def needs_bass(board: Fretboard) -> bool:
    """Return whether the lowest note of a chord shape must be the bass of the chord."""
    return board.lowest_pitch < (_LOW_INSTRUMENT if board.strings > 4 else _BASS_GUITAR)


def note_shapes(notes: Sequence[int], board: Fretboard) -> list[ChordShape]:
    """Return every way to play exactly these notes with the strings in the order of their pitch, the easiest first."""
    wanted = sorted(notes)
    order = sorted(range(board.strings), key=lambda string: board.open_pitches[-1 - string])
    found = []
    for strings in itertools.combinations(order, len(wanted)):
        frets: list[int | None] = [None] * board.strings
        for string, note in zip(strings, wanted, strict=True):
            frets[string] = board.fret(board.strings - string, note)
        if frets.count(None) == board.strings - len(wanted):
            shape = press_shape(tuple(frets), board)
            if shape:
                found.append(shape)
    return sorted(found, key=effort)


def press_shape(frets: tuple[int | None, ...], board: Fretboard) -> ChordShape | None:
    """Return the shape of these frets, or None if no hand can play them."""
    pressed = [fret for fret in frets if fret]
    if pressed and not _is_in_reach(min(pressed), max(pressed), board):
        return None
    strings = board.strings
    places = [(strings - index, fret) for index, fret in enumerate(frets) if fret is not None]
    hand = press(places)
    if hand is None:
        return None
    return ChordShape(frets, hand.barre, hand.fingers, tuple(sorted(board.pitch(*place) for place in places)))


def effort(shape: ChordShape) -> float:
    """Return how hard a shape is.

    A high position, a stretch, many fingers, a barre, and damped or open strings between the played ones make it hard.
    """
    frets = shape.frets
    sounding = [string for string, fret in enumerate(frets) if fret is not None]
    pressed = [string for string, fret in enumerate(frets) if fret]
    cost = 2.0 * frets[sounding[0] : sounding[-1]].count(None)
    if pressed:
        highest = max(frets[string] or 0 for string in pressed)
        cost += 0.25 * highest + 0.3 * (highest - shape.position) + 0.4 * shape.fingers
        cost += 0.2 * frets[pressed[0] : pressed[-1]].count(0) + 0.9 * (shape.barre is not None)
    return cost


@lru_cache(maxsize=512)
def chord_shapes(
    chord: ChordSymbol, board: Fretboard, bass: int, low: int = 0, high: int = 127
) -> tuple[ChordShape, ...]:
    """Return the shapes of a chord over the pitch class `bass`, with all notes between `low` and `high`.

    The best come first: shapes with all chord tones, many strings and an easy fingering; those that guitarists know.
    """
    tones = {*essential_tones(chord, 5), bass}
    costs = tone_weights(chord)
    main = {tone for tone, missing in costs.missing.items() if missing >= MAIN_TONE}
    for strings in (4, 3, 2):
        found = []
        for frets in _frets(tones, bass, low, high, strings, board):
            shape = press_shape(frets, board)
            if shape is None:
                continue
            classes = [note % 12 for note in shape.notes]
            if not main.issubset(classes) or (needs_bass(board) and len(set(shape.notes)) < len(shape.notes)):
                continue
            known = _well_known_bonus(shape, board)
            found.append((effort(shape) + _sound_cost(classes, costs) - known, shape))
        if found:
            found.sort(key=lambda item: (item[0], str(item[1].frets)))
            return tuple(shape for _, shape in found)
    return ()


def _well_known_bonus(shape: ChordShape, board: Fretboard) -> float:
    """Return what a shape saves because guitarists know it. The guitar may be tuned up or down as a whole."""
    if board.strings < _MOST_STRINGS:
        return 0.0
    if len({pitch - usual for pitch, usual in zip(board.open_pitches, _GUITAR_TUNING, strict=False)}) > 1:
        return 0.0
    frets = shape.frets[-_MOST_STRINGS:]
    at_nut = "".join("x" if fret is None else str(fret) for fret in frets)
    if at_nut in _OPEN_SHAPES or at_nut in _MOVABLE_SHAPES:
        return _WELL_KNOWN
    if 0 in frets:
        return 0.0
    moved = "".join("x" if fret is None else str(fret - shape.position) for fret in frets)
    return max(0.0, _WELL_KNOWN - _WELL_KNOWN_PER_FRET * shape.position) if moved in _MOVABLE_SHAPES else 0.0


def _is_in_reach(lowest: int, highest: int, board: Fretboard) -> bool:
    if board.scale_mm > _SHORT_SCALE_MM:
        return highest - lowest <= _GUITAR_FRETS
    return highest - lowest <= _MOST_FRETS and board.mm[highest] - board.mm[lowest] <= _SPAN_MM


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


def _full_strings(tones: set[int], board: Fretboard) -> tuple[list[int], tuple[int | None, ...]]:
    """Return the open pitches of the strings that a shape can use, and the frets of the others before them."""
    if board.strings > _MOST_STRINGS:
        return list(reversed(board.open_pitches[:_MOST_STRINGS])), (None,) * (board.strings - _MOST_STRINGS)
    if board.first_frets[-1]:
        drone = 0 if board.open_pitches[-1] % 12 in tones else None
        return list(reversed(board.open_pitches[:-1])), (drone,)
    return list(reversed(board.open_pitches)), ()


def _frets(
    tones: set[int], bass: int, low: int, high: int, strings: int, board: Fretboard
) -> Iterator[tuple[int | None, ...]]:
    """Yield every choice of frets within a hand's reach, on low instruments only those whose lowest note is the bass.

    At least `strings` strings sound, and at most one string between sounding strings is damped. Strings are added one
    by one from the highest number. Choices that no hand can play are dropped immediately.
    """
    over_bass = needs_bass(board)
    full, drone = _full_strings(tones, board)
    count = len(full)
    for position in range(1, min(_HIGHEST_POSITION, board.highest_fret) + 1):
        last = max(fret for fret in range(position, board.highest_fret + 1) if _is_in_reach(position, fret, board))
        hand = tuple(range(position, last + 1))
        low_position = position <= _OPEN_POSITION
        # (frets so far, lowest note, damped strings between sounding ones, fingers above the position's fret,
        # whether a finger is on that fret). The first finger is for the position's fret, so three are left above it.
        begun: list[tuple[tuple[int | None, ...], int, int, int, bool]] = []
        for string, open_ in enumerate(full):
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
                        if fingers < FINGERS and (not over_bass or open_ + fret > lowest):
                            grown.append(((*frets, fret), lowest, damped_here, fingers, at or fret == position))
                if count - frets.count(None) > strings:
                    grown.append(((*frets, None), lowest, damped, above, at))
            if string <= count - strings:
                silent = (None,) * string
                starts = notes if low_position or not rings_open else [0, *notes]
                for fret in starts:
                    if not over_bass or (open_ + fret) % 12 == bass:
                        grown.append(((*silent, fret), open_ + fret, 0, int(fret > position), fret == position))
            begun = grown
        for frets, _, _, above, at in begun:
            if (at or (position == 1 and not above)) and count - frets.count(None) >= strings:
                yield (*drone, *frets)
