"""The times at which chords may begin: one slot per bar, half bar or beat, and two in the bars where a phrase closes.

With one chord per bar, these bars have two slots: the bar before the last note of a phrase, the bar of this note if it
begins later in the bar after another pitch, and a bar whose halves spell or need different chords (`bar_halves.py`) or
that varies such a bar (`similar_bars.py`). The search may put the same chord into both slots; they are merged then.
Phrases end at pauses (`phrase_ends.py`) and where the rhythm suggests it (`phrase_structure.py`).
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from consort_compose.composer.harmony.harmonize.slots.bar_halves import needs_two_chords, spelled_halves, spelled_triad
from consort_compose.composer.harmony.harmonize.slots.foreign_notes import NoteCosts
from consort_compose.composer.harmony.harmonize.slots.similar_bars import are_alike
from consort_compose.composer.harmony.melody_grid import ChordRhythm, ChordSlot, GridNote, MelodyGrid
from consort_compose.composer.harmony.phrase_ends import find_phrases
from consort_compose.composer.harmony.phrase_structure import phrase_last_notes

_Chord = TypeVar("_Chord")


@dataclass(frozen=True)
class HarmonySlot:
    span: ChordSlot
    is_second: bool
    """Whether this is the second half of a split bar, which may continue the chord of the first half."""
    bars_to_end: int
    """The bars from this bar to the one in which the last note of the phrase begins."""
    ends_inside: bool
    """Whether this last note begins after the first beat of its bar."""
    bars_from_start: int
    """The bars since the last phrase ended, or since the beginning. A pickup has -1."""
    holds_end: bool
    """Whether the last note of a phrase begins in this slot."""
    held_end: int | None
    """The MIDI number of this note, if it lasts at least half a bar."""
    is_opening: bool
    """Whether the slot begins the melody, or its first full bar."""
    is_middle: bool
    """Whether a note that ends the first half of the tune is held for a bar, here."""
    spelled: frozenset[int]
    """The pitch classes that the melody spells in a bar with two slots: a chord for each of them, or one triad."""
    opens_phrase: bool
    """Whether this is the first slot after a phrase end that begins with a note of the next phrase."""
    before_end: int | None
    """The MIDI number of the last other note before the note that ends a phrase, if it begins in this slot."""
    pickup: int | None
    """The start of the notes at the end of the slot that lead into the next phrase."""


def harmony_slots(grid: MelodyGrid, rhythm: ChordRhythm) -> list[HarmonySlot]:
    """Return the slots of a melody in order."""
    pauses = [phrase.last for phrase in find_phrases(grid)]
    lasts = sorted({note.start for note in (*pauses, *phrase_last_notes(grid))})
    beats = [grid.beat_at(start) for start in lasts]
    bars = [beat.bar for beat in beats]
    ends = [note for start in lasts if (note := grid.at(start)) is not None]
    held_ends = {note.start: note.midi for note in ends if 2 * (note.end - note.start) >= grid.bar_at(note.start)}
    has_pickup = grid.beats[0].place > 0
    halves = {slot.first: slot for slot in grid.slots("per_half")}
    found: list[HarmonySlot] = []
    middle = _middle(grid)
    costs = NoteCosts(grid, 0)
    openings = _openings(grid, ends)
    before = _notes_before(grid, ends)
    for slot in grid.slots(rhythm):
        beat = grid.beats[slot.first]
        place = min(bisect_left(bars, beat.bar), len(bars) - 1)
        to_end, inside = bars[place] - beat.bar, beats[place].place > 0
        since = beat.bar - (bars[place - 1] + 1 if place else int(has_pickup))
        parts = [slot]
        spelled: list[frozenset[int]] = []
        is_one_pitch = len({note.midi for note in grid.within(slot.start, slot.end)}) == 1
        closes = to_end == 1 or (to_end == 0 and inside and not is_one_pitch)
        if rhythm == "per_measure" and slot.last - slot.first == beat.beats_in_bar > 1:
            both = [half for index in range(slot.first, slot.last) if (half := halves.get(index)) is not None]
            spelled = spelled_halves(grid, both)
            if closes or spelled or needs_two_chords(costs, slot, both) or _is_like_split_bar(grid, found, slot):
                parts = both
            if closes and not spelled:
                spelled = [spelled_triad(grid, both)] * len(both)
        for number, part in enumerate(parts):
            holds_end = any(part.start <= start < part.end for start in lasts)
            is_middle = middle is not None and middle.start <= part.start < middle.end
            is_opening = not found or (
                part.first > 0 and beat.bar == int(has_pickup) and number == 0 and len(found) == 1
            )
            tones = spelled[number] if spelled else frozenset()
            held = next((held_ends[start] for start in held_ends if part.start <= start < part.end), None)
            previous = found[-1].span.start if found else -1
            found.append(
                HarmonySlot(
                    part,
                    is_second=number > 0,
                    bars_to_end=to_end,
                    ends_inside=inside,
                    bars_from_start=since,
                    holds_end=holds_end,
                    held_end=held,
                    is_opening=is_opening,
                    is_middle=is_middle,
                    spelled=tones,
                    opens_phrase=any(previous < start <= part.start for start in openings),
                    before_end=next((midi for tick, midi in before if part.start <= tick < part.end), None),
                    pickup=next((start for start in openings if part.start < start < part.end), None),
                )
            )
    return found


def _is_like_split_bar(grid: MelodyGrid, earlier: Sequence[HarmonySlot], bar: ChordSlot) -> bool:
    """Return whether the bar before is split because of its melody, and most of this bar has the same notes."""
    if len(earlier) < 2 or not earlier[-1].is_second or earlier[-1].bars_to_end <= 1:
        return False
    return are_alike(grid, earlier[-2].span.start, bar.start)


def _notes_before(grid: MelodyGrid, ends: Sequence[GridNote]) -> list[tuple[int, int]]:
    """Return the start and MIDI number of the last note with another pitch before each phrase end."""
    found = []
    for end in ends:
        index = grid.notes.index(end)
        earlier = (note for note in grid.notes[index::-1] if note.midi != end.midi)
        if (note := next(earlier, None)) is not None:
            found.append((note.start, note.midi))
    return found


def _openings(grid: MelodyGrid, ends: Sequence[GridNote]) -> list[int]:
    """Return the start of the first note after each phrase end."""
    following = {note: after.start for note, after in pairwise(grid.notes)}
    return [following[note] for note in ends if note in following]


def _middle(grid: MelodyGrid) -> GridNote | None:
    """Return the note that ends the first half of the melody, if it lasts at least a bar."""
    first, last = grid.notes[0].start, grid.notes[-1].end
    beat = grid.beats[0]
    bar = (beat.end - beat.start) * beat.beats_in_bar
    held = [
        phrase
        for phrase in phrase_last_notes(grid)[:-1]
        if phrase.end - phrase.start >= bar and abs(phrase.end - (first + last) / 2) <= bar
    ]
    return held[0] if held else None


def merge_halves(slots: Sequence[HarmonySlot], chords: Sequence[_Chord]) -> tuple[list[ChordSlot], list[_Chord]]:
    """Join the two slots of a split bar if they have the same chord. Return the slots and their chords."""
    spans: list[ChordSlot] = []
    kept: list[_Chord] = []
    for slot, chord in zip(slots, chords, strict=True):
        if slot.is_second and kept and kept[-1] == chord:
            spans[-1] = spans[-1]._replace(end=slot.span.end, last=slot.span.last)
        else:
            spans.append(slot.span)
            kept.append(chord)
    return spans, kept
