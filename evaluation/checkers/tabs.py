"""Check whether a left hand can play a tablature, written independently of the engine that makes it.

Rules:

- a note has the pitch of its string and fret, and the fret exists;
- a string plays one note at a time. A note must sound for at least `SOUNDS` of its duration before its string is used
  again; two notes of the same pitch that start together count as one;
- what must sound at one time has at most four fingers, one of which may press several strings at its fret if none of
  the strings between is open, and spans at most `SPAN_MM` along the neck;
- the hand moves by at most `SPEED_MM_PER_S`. It is where it reaches each pressed note from the note's start until the
  note may be left. Such a movement exists if each pair of notes allows it: two windows must not be farther apart than
  the hand can move in the time between them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

SOUNDS = 0.6
SPAN_MM = 140.0
SPEED_MM_PER_S = 1200.0
TOGETHER_S = 0.03
_LOOK_BACK_S = 1.0
"""A hand crosses the longest neck in less time."""


@dataclass(frozen=True)
class CheckedFretboard:
    """The MIDI pitches of the open strings from string 1 on (with the capo), and the fret at which each begins."""

    open_pitches: tuple[int, ...]
    scale_mm: float
    frets: int
    capo: int = 0
    begins: tuple[int, ...] = ()

    def sounds(self, string: int, fret: int) -> int | None:
        """Return the pitch of a fret, or None if it does not exist."""
        if not 1 <= string <= len(self.open_pitches) or not 0 <= fret <= self.frets - self.capo:
            return None
        begins = self.begins[string - 1] if self.begins else 0
        if fret == 0:
            return self.open_pitches[string - 1]
        return self.open_pitches[string - 1] + fret - begins if fret > begins else None

    def distance(self, fret: int) -> float:
        """Return the millimetres from the nut to a fret that is counted from the capo."""
        return self.scale_mm - self.scale_mm / 2 ** ((fret + self.capo) / 12)


@dataclass(frozen=True)
class CheckedTabNote:
    start: float
    """In seconds, as the duration."""
    duration: float
    pitch: int
    string: int
    fret: int

    @property
    def until(self) -> float:
        """The time until which the note must sound."""
        return self.start + SOUNDS * self.duration


def tab_faults(board: CheckedFretboard, notes: Sequence[CheckedTabNote]) -> list[str]:
    """Return what a hand cannot play, as text."""
    ordered = sorted(notes, key=lambda note: note.start)
    return [
        *_wrong_pitches(board, ordered),
        *_busy_strings(ordered),
        *_impossible_grips(board, ordered),
        *_fast_shifts(board, ordered),
    ]


def _wrong_pitches(board: CheckedFretboard, notes: list[CheckedTabNote]) -> list[str]:
    return [
        f"{note.start:.2f} s: string {note.string} fret {note.fret} is not pitch {note.pitch}"
        for note in notes
        if board.sounds(note.string, note.fret) != note.pitch
    ]


def _busy_strings(notes: list[CheckedTabNote]) -> list[str]:
    faults = []
    last: dict[int, CheckedTabNote] = {}
    for note in notes:
        before = last.get(note.string)
        is_unison = before and before.pitch == note.pitch and note.start - before.start <= TOGETHER_S
        if before and not is_unison and note.start < before.until - 1e-6:
            faults.append(f"{note.start:.2f} s: string {note.string} is used while pitch {before.pitch} must sound")
        last[note.string] = note
    return faults


def _impossible_grips(board: CheckedFretboard, notes: list[CheckedTabNote]) -> list[str]:
    faults = []
    sounding: list[CheckedTabNote] = []
    for note in notes:
        sounding = [one for one in sounding if one.until > note.start + 1e-6 or note.start - one.start <= TOGETHER_S]
        sounding.append(note)
        places = {(one.string, one.fret) for one in sounding}
        pressed = [board.distance(fret) for _, fret in places if fret]
        if pressed and max(pressed) - min(pressed) > SPAN_MM:
            faults.append(f"{note.start:.2f} s: the span is {max(pressed) - min(pressed):.0f} mm")
        if _least_fingers(places) > 4:
            faults.append(f"{note.start:.2f} s: {sorted(places)} needs more than four fingers")
    return faults


def _least_fingers(places: set[tuple[int, int]]) -> int:
    """Try every stretch of strings for the barre of the first finger."""
    pressed = {place for place in places if place[1]}
    if len(pressed) <= 4:
        return len(pressed)
    lowest = min(fret for _, fret in pressed)
    at_lowest = sorted(string for string, fret in pressed if fret == lowest)
    best = len(pressed)
    for first, last in combinations(at_lowest, 2):
        under = {place for place in places if first <= place[0] <= last}
        if all(fret for _, fret in under):
            barred = sum(fret == lowest for _, fret in under)
            best = min(best, len(pressed) - barred + 1)
    return best


def _fast_shifts(board: CheckedFretboard, notes: list[CheckedTabNote]) -> list[str]:
    faults = []
    recent: list[CheckedTabNote] = []
    for note in notes:
        if not note.fret:
            continue
        recent = [one for one in recent if one.until > note.start - _LOOK_BACK_S]
        at = board.distance(note.fret)
        for one in recent:
            # The first finger is at most SPAN_MM below each of the two frets, and never above one.
            apart = abs(at - board.distance(one.fret)) - SPAN_MM
            seconds = max(0.0, note.start - one.until)
            together = note.start - one.start <= TOGETHER_S
            if apart > SPEED_MM_PER_S * seconds + 1e-6 and not together:
                faults.append(f"{note.start:.2f} s: {apart:.0f} mm from fret {one.fret} to {note.fret} too fast")
        recent.append(note)
    return faults
