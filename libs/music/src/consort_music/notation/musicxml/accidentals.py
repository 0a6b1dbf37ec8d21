"""Choose the accidentals to print on a staff.

An accidental is printed if a note's alteration differs from the last one printed for the same letter and octave in this
bar or, if there is none, from the key signature. A key change resets this. A courtesy accidental reminds the player
that an earlier one is over: one of the bar before (or tied from it), or of another octave in the same bar.
"""

from collections.abc import Iterator, Sequence

from consort_music.intervals import Interval, transpose
from consort_music.keys import Key
from consort_music.notation.writing.notated_score import NotatedStaff
from consort_music.notation.writing.written_bars import BarWriter
from consort_music.pitch import Pitch

ShownAccidentals = dict[tuple[int, int], str]
"""The accidental elements to print, by id of the chord or grace note (hashing it is slow) and index of the pitch."""
_NAMES = {-2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp"}
_NO_SIGNATURE = dict.fromkeys("CDEFGAB", 0)
_Place = tuple[str, int]
"""A letter and an octave."""


def shown_accidentals(
    bars: BarWriter, staff: NotatedStaff, keys: Sequence[tuple[int, Key]], moved: Interval
) -> ShownAccidentals:
    """Return the accidentals of a staff. `keys` are as written, `moved` leads from sounding to written pitches."""
    shown: ShownAccidentals = {}
    memory = _Memory()
    changes = iter(keys)
    change = next(changes, None)
    ends = iter([bar.end for bar in bars.bars])
    bar_end = next(ends)
    for start, end, owner, pitches in _in_order(bars, staff):
        while start >= bar_end:
            memory.next_bar(bar_end)
            bar_end = next(ends)
        while change is not None and change[0] <= start:
            memory.change_key(change[1])
            change = next(changes, None)
        for index, sounding in enumerate(pitches):
            pitch = transpose(sounding, moved) if moved.semitones or moved.steps else sounding
            if element := memory.accidental(pitch, end):
                shown[owner, index] = element
    return shown


class _Memory:
    """The accidentals that a reader has in mind."""

    def __init__(self) -> None:
        self._signature = _NO_SIGNATURE
        self._here: dict[_Place, int] = {}
        """Alterations printed in this bar."""
        self._before: dict[_Place, int] = {}
        """Alterations of the bar before that are over."""
        self._bar_start = 0
        self._last_end: dict[_Place, tuple[int, int]] = {}
        """When an altered note ends, and its alteration."""

    def next_bar(self, start: int) -> None:
        """Begin another bar. What was printed in the bar before, or tied into it, is to be remembered."""
        self._last_end = {place: held for place, held in self._last_end.items() if held[0] > self._bar_start}
        self._before = {place: alter for place, (_, alter) in self._last_end.items()} | self._here
        self._here, self._bar_start = {}, start

    def change_key(self, key: Key) -> None:
        self._signature = {step: key.signature_alter(step) for step in _NO_SIGNATURE}
        self._here, self._before = {}, {}

    def accidental(self, pitch: Pitch, end: int) -> str:
        """Return the accidental to print for a note, or nothing."""
        place, alter = (pitch.step, pitch.octave), pitch.alter
        if alter != self._signature[pitch.step]:
            self._last_end[place] = (end, alter)
        if self._here.get(place, self._signature[pitch.step]) != alter:
            self._here[place] = alter
            return f"<accidental>{_NAMES[alter]}</accidental>"
        if place not in self._here and self._is_doubtful(place, alter):
            self._here[place] = alter
            return f'<accidental cautionary="yes">{_NAMES[alter]}</accidental>'
        return ""

    def _is_doubtful(self, place: _Place, alter: int) -> bool:
        is_over = self._before.get(place, alter) != alter
        return is_over or any(
            step == place[0] and other != alter for (step, octave), other in self._here.items() if octave != place[1]
        )


def _in_order(bars: BarWriter, staff: NotatedStaff) -> Iterator[tuple[int, int, int, Sequence[Pitch]]]:
    """Yield start, end (ticks), id and pitches of grace notes and chords, sorted by start."""
    chords = [(bars.ticks(chord.start), chord) for voice in staff.voices for chord in voice]
    chords.sort(key=lambda found: found[0])
    for start, chord in chords:
        for grace in chord.grace_notes:
            yield start, start, id(grace), grace.pitches
        yield start, bars.ticks(chord.end), id(chord), chord.pitches
