"""The cost of melody notes that are foreign to the chord of their slot, by how the melody reaches and leaves them.

A dissonance is a passing note, neighbour, suspension, appoggiatura, escape note or anticipation. The first four are
left by step. Escape notes and anticipations are short and weak. A note of a beat or longer, or on a beat, that is left
by leap is none of these: it shows that the chord is wrong, so its cost is large. Repeated notes count as one note.

These cost less: the minor seventh of the chord on a weak beat; the last note of a bar, which may belong to the next
chord; the notes of a pickup, which do.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Container
from itertools import pairwise
from typing import NamedTuple

from consort_compose.composer.harmony.melody_grid import ChordSlot, GridBeat, MelodyGrid
from consort_music.metre import DOWNBEAT, STRONG

_LONG_LEAP = 6.0
"""The cost per beat of a note of a beat or longer that is left by leap."""
_ACCENTED_LEAP = 4.0
"""The cost per beat of a shorter note on a beat that is left by leap."""
_WEAK_LEAP, _ESCAPE = 4.0, 1.0
"""The costs per beat of a note off the beat that is left by leap; _ESCAPE if it is reached by step."""
_APPOGGIATURA, _SUSPENSION, _ACCENTED_PASSING = 1.6, 1.0, 0.8
"""The costs per beat of a note on a strong beat that is left by step."""
_LONG_APPOGGIATURA = 1.5
"""The factor for such a note if it lasts longer than half of the slot."""
_ON_BEAT, _PASSING = 0.5, 0.3
"""The costs per beat of other notes that are left by step: on a beat, and off the beat."""
_REACHED_BY_LEAP = 4.0
"""The factor for these notes if they are reached by leap."""
_NOT_RESOLVED = 2.0
"""The factor for a note that is left by step to another foreign note."""
_ANTICIPATION = 1.0
"""The cost per beat of a weak note that is held or repeated into the next slot."""
_CHANGING = 0.5
"""The factor for the first of two short changing notes, such as B in C B D C."""
_SEVENTH, _LAST, _PICKUP = 0.7, 0.5, 0.25
"""The factors for weak minor sevenths, for a weak last note of a bar, and for notes of a pickup."""
_ACCENTED_TENSION, _LEAPING_TENSION = 0.5, 3.0
"""The costs of an accepted tension on an accent, and, per beat, of one that is reached and left by leap."""
_OF_DOMINANT = 0.4
"""The factor for the seventh of the dominant of the key."""
_MINOR_SEVENTH, _SUBDOMINANT, _DOMINANT = 10, 5, 7
_MOST_BEATS, _FEWEST_BEATS = 2.0, 0.5
"""A note counts as at most so many beats, and as at least so many if it is left by leap from a beat or an accent."""
_STEPS, _THIRDS = (1, 2), (3, 4)


class MelodyTone(NamedTuple):
    """A note, or several with the same pitch and no rest between them."""

    start: int
    end: int
    midi: int


class _Sounding(NamedTuple):
    """The part of a tone that sounds in a slot."""

    start: int
    end: int
    beat: GridBeat
    beats: float
    """How many beats it lasts, at most `_MOST_BEATS`."""


class ForeignNote(NamedTuple):
    """A note in a slot, with its cost if it is foreign to the chord."""

    degree: int
    """Semitones above the tonic."""
    resolution: int | None
    """The degree to which the note moves by step within the slot."""
    cost: float
    is_weak: bool
    """Whether the note is not accented."""
    as_tension: float
    """The cost if the note is an accepted tension of the chord: on an accent, or reached and left by leap."""

    def cost_in(self, tones: Container[int], root: int, tensions: Container[int] = ()) -> float:
        """Return the cost over a chord with these tones and accepted tensions."""
        if self.degree in tones:
            return 0.0
        if self.degree in tensions:
            return self.as_tension
        if self.degree == _SUBDOMINANT and root == _DOMINANT:
            return _OF_DOMINANT * self.cost
        if self.resolution is not None and self.resolution not in tones:
            return _NOT_RESOLVED * self.cost
        return self.cost * (_SEVENTH if self.is_weak and (self.degree - root) % 12 == _MINOR_SEVENTH else 1.0)


class NoteCosts:
    """The notes of a melody, with their costs in any slot. Degrees are relative to `tonic`."""

    def __init__(self, grid: MelodyGrid, tonic: int) -> None:
        self._grid, self._tonic = grid, tonic
        self._tones: list[MelodyTone] = []
        begin = grid.notes[0].start
        for note, after in pairwise((*grid.notes, None)):
            assert note is not None
            if after is None or after.midi != note.midi or after.start > note.end:
                self._tones.append(MelodyTone(begin, note.end, note.midi))
                begin = after.start if after else note.end
        self._starts = [tone.start for tone in self._tones]
        self._beats = [beat.start for beat in grid.beats]

    def within(self, slot: ChordSlot, pickup: int | None = None) -> list[ForeignNote]:
        """Return the notes that sound in a slot. `pickup` is the start of a pickup to the next slot."""
        first = max(bisect_right(self._starts, slot.start) - 1, 0)
        last = bisect_right(self._starts, slot.end - 1)
        return [self._note(slot, index, pickup) for index in range(first, last) if self._tones[index].end > slot.start]

    def _note(self, slot: ChordSlot, index: int, pickup: int | None) -> ForeignNote:
        tone = self._tones[index]
        after = self._tones[index + 1] if index + 1 < len(self._tones) else None
        part = self._sounding(slot, tone)
        steps_on = (
            after is not None
            and abs(after.midi - tone.midi) in _STEPS
            and after.start - tone.end < part.beat.end - part.beat.start
        )
        accented = part.start == slot.start or self._has_strong_beat(part.start, part.end)
        resolution = (after.midi - self._tonic) % 12 if after and steps_on and after.start < slot.end else None
        cost = self._cost(slot, index, part, steps_on, accented)
        if pickup is not None and part.start >= pickup:
            cost *= _PICKUP
        leaps = not steps_on and self._interval_before(index) not in (None, *_STEPS)
        as_tension = _ACCENTED_TENSION * accented + _LEAPING_TENSION * leaps * max(part.beats, _FEWEST_BEATS)
        return ForeignNote((tone.midi - self._tonic) % 12, resolution, cost, not accented, as_tension)

    def _sounding(self, slot: ChordSlot, tone: MelodyTone) -> _Sounding:
        start, end = max(tone.start, slot.start), min(tone.end, slot.end)
        beat = self._grid.beat_at(start)
        return _Sounding(start, end, beat, min((end - start) / (beat.end - beat.start), _MOST_BEATS))

    def _interval_before(self, index: int) -> int | None:
        """Return the semitones between a tone and the one before it, or None for the first tone."""
        return abs(self._tones[index].midi - self._tones[index - 1].midi) if index else None

    def _has_strong_beat(self, start: int, end: int) -> bool:
        beats = self._grid.beats[bisect_left(self._beats, start) : bisect_left(self._beats, end)]
        return any(beat.strength >= STRONG for beat in beats)

    def _cost(self, slot: ChordSlot, index: int, part: _Sounding, steps_on: bool, accented: bool) -> float:
        """Return the cost of a note. If it steps on to another one, it is taken to resolve there."""
        tone = self._tones[index]
        start, end, beat, beats = part
        on_beat, prepared, is_held = beat.start == start, tone.start < slot.start, tone.end > slot.end
        is_reached = prepared or self._interval_before(index) in _STEPS
        if is_held and not accented and (beats < 1 or is_reached):
            return _ANTICIPATION * beats
        if steps_on and not is_held:
            if not accented:
                return (_ON_BEAT if on_beat else _PASSING) * beats * (1.0 if is_reached else _REACHED_BY_LEAP)
            if prepared:
                cost = _SUSPENSION
            elif beat.strength < DOWNBEAT and self._is_passing(index):
                cost = _ACCENTED_PASSING
            else:
                cost = _APPOGGIATURA
            return cost * beats * (_LONG_APPOGGIATURA if 2 * (end - start) > slot.end - slot.start else 1.0)
        if beats >= 1 or on_beat or accented:
            cost = (_LONG_LEAP if beats >= 1 else _ACCENTED_LEAP) * max(beats, _FEWEST_BEATS)
            return cost * (_LAST if self._ends_bar(end) and not (is_held or accented) else 1.0)
        return (_ESCAPE if is_reached else _WEAK_LEAP) * beats * (_CHANGING if self._is_changing(index) else 1.0)

    def _ends_bar(self, moment: int) -> bool:
        beat = self._grid.beat_at(moment)
        return beat.start == moment and beat.place == 0

    def _is_passing(self, index: int) -> bool:
        """Return whether a note lies between the previous and the next one, a step from both."""
        if not 0 < index < len(self._tones) - 1:
            return False
        before, tone, after = (one.midi for one in self._tones[index - 1 : index + 2])
        return abs(before - tone) in _STEPS and abs(after - tone) in _STEPS and (tone - before) * (after - tone) > 0

    def _is_changing(self, index: int) -> bool:
        if not 0 < index < len(self._tones) - 2:
            return False
        before, tone, other, after = (one.midi for one in self._tones[index - 1 : index + 3])
        return before == after and abs(other - tone) in _THIRDS and abs(tone - before) in _STEPS
