"""Where the notes of the new voice may begin: the rhythm of each species against the existing voice.

A slot is one place for a note. It knows what of the existing voice sounds at its onset, what sounded just before, and
what begins while it is held; the rules need nothing else of the time.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from random import Random

from consort_compose.composer.counterpoint.task import Task, VoiceNote
from consort_compose.composer.counterpoint.tones import Scale, Tone, tones_of_chord
from consort_music.bars import Bar
from consort_music.chords.layout import ChordSpan
from consort_music.metre import STRONG


class Entry(Enum):
    STRIKE = "a new note"
    MAY_TIE = "held over from the slot before, if that can be"
    REST = "silence"


PASSING, NEIGHBOUR, CAMBIATA = 1, 2, 4
"""Dissonances that a slot allows, added up; 0 is none."""

_Part = tuple[Entry, Fraction, bool]
"""An entry, its length, and whether it is shorter than a pulse."""


@dataclass(slots=True)
class Slot:
    onset: Fraction
    duration: Fraction
    entry: Entry
    measure: int
    against: Tone | None
    before: Tone | None
    """None too where the existing voice does not move at the onset."""
    dissonance: int = 0
    leads: bool = False
    """First of its unit: perfect intervals of one leading slot and the next are compared."""
    stepwise: bool = False
    """Reached and left by step: too quick for leaps."""
    later: list[tuple[Tone, bool]] = field(default_factory=list)
    """Notes of the existing voice that begin while this one is held, and whether they count as strong."""
    earlier: Tone | None = None
    """What sounded when the note tied into the slot before this one was struck: for resolutions one after the other."""
    chord: Scale | None = None
    opens_chord: bool = False
    """The chord begins with it."""
    closes: bool = False
    """In the last unit but one, whose leading tone may be raised."""
    syncopates: bool = False
    """A note should be tied into it: a new one breaks the chain of the fourth species."""

    @property
    def sounding_last(self) -> Tone | None:
        """What of the existing voice the note ends with."""
        return self.later[-1][0] if self.later else self.against


@dataclass(frozen=True, slots=True)
class Unit:
    """The stretch that counts as one cantus note: the note itself, or a bar of an uneven melody."""

    start: Fraction
    pulses: tuple[Fraction, ...]
    """Lengths of the quick notes that fill it: four quarters in a bar of 4/4, six eighths in one of 6/8."""
    sounding: bool

    @property
    def length(self) -> Fraction:
        return sum(self.pulses, Fraction(0))


class Existing:
    """The existing voice and its bars, asked by time."""

    def __init__(self, task: Task) -> None:
        self.notes = list(task.existing)
        self.bars = list(task.bars)
        self._onsets = [note.onset for note in self.notes]
        self._bar_starts = [bar.start for bar in self.bars]
        self._chords = list(task.chords)
        self._chord_onsets = [chord.start for chord in self._chords]

    def at(self, time: Fraction) -> VoiceNote | None:
        index = bisect_right(self._onsets, time) - 1
        return self.notes[index] if index >= 0 and self.notes[index].end > time else None

    def just_before(self, time: Fraction) -> VoiceNote | None:
        index = bisect_right(self._onsets, time) - 1
        if index >= 0 and self._onsets[index] == time:
            index -= 1
        return self.notes[index] if index >= 0 and self.notes[index].end >= time else None

    def beginning_within(self, start: Fraction, end: Fraction) -> list[VoiceNote]:
        """Notes that begin after `start` and before `end`."""
        found = []
        for index in range(bisect_right(self._onsets, start), len(self.notes)):
            if self._onsets[index] >= end:
                break
            found.append(self.notes[index])
        return found

    def beginning_from(self, start: Fraction, end: Fraction) -> list[VoiceNote]:
        """Notes that begin at `start` or after it, and before `end`."""
        now = self.at(start)
        return [*([now] if now and now.onset == start else []), *self.beginning_within(start, end)]

    def sounds_in(self, bar: Bar) -> bool:
        return self.at(bar.start) is not None or bool(self.beginning_within(bar.start, bar.end))

    def bar_at(self, time: Fraction) -> Bar:
        return self.bars[max(bisect_right(self._bar_starts, time) - 1, 0)]

    def chord_at(self, time: Fraction) -> ChordSpan | None:
        index = bisect_right(self._chord_onsets, time) - 1
        return self._chords[index] if index >= 0 and self._chords[index].end > time else None

    def chord_begins(self, time: Fraction) -> bool:
        chord = self.chord_at(time)
        return chord is not None and chord.start == time

    def slot(self, onset: Fraction, duration: Fraction, entry: Entry) -> Slot:
        bar, now, earlier = self.bar_at(onset), self.at(onset), self.just_before(onset)
        moves = now is not None and now.onset == onset and earlier is not None
        chord = self.chord_at(onset)
        return Slot(
            onset,
            duration,
            entry,
            bar.number,
            now.tone if now else None,
            earlier.tone if earlier and moves else None,
            later=[(note.tone, self._is_strong(note)) for note in self.beginning_within(onset, onset + duration)],
            chord=tones_of_chord(chord.chord) if chord else None,
            opens_chord=self.chord_begins(onset),
        )

    def beats_between(self, start: Fraction, end: Fraction) -> list[Fraction]:
        """The beats after `start` and before `end`."""
        found = []
        first = max(bisect_right(self._bar_starts, start) - 1, 0)
        for bar in self.bars[first:]:
            if bar.start >= end:
                break
            moments = [bar.start - bar.missing + beat for beat in bar.metre.beats]
            found += [moment for moment in moments if bar.start <= moment < bar.end and start < moment < end]
        return found

    def strength(self, time: Fraction) -> int:
        bar = self.bar_at(time)
        return bar.metre.strength(time - bar.start + bar.missing)

    def beat_length(self, time: Fraction) -> Fraction:
        """Of the beat that is on, or was on last."""
        bar = self.bar_at(time)
        into = time - bar.start + bar.missing
        edges = [*bar.metre.beats, bar.metre.bar]
        place = max(bisect_right(bar.metre.beats, into) - 1, 0)
        return edges[place + 1] - edges[place]

    def _is_strong(self, note: VoiceNote) -> bool:
        return self.strength(note.onset) >= STRONG and note.duration >= self.beat_length(note.onset)


def units_of(existing: Existing, species: int) -> tuple[list[Unit], str | None]:
    """The cantus as units, and a remark where it is not the usual one of whole bars."""
    notes = existing.notes
    gapless = all(one.end == other.onset for one, other in pairwise(notes))
    whole_bars = gapless and all(_fills_bar(note, existing) for note in notes[:-1])
    whole_bars = whole_bars and existing.bar_at(notes[-1].onset).start == notes[-1].onset
    even = gapless and len({note.duration for note in notes[:-1]}) <= 1
    if whole_bars:
        return [_unit_of_note(note, existing) for note in notes], None
    if species == 1 or even:
        remark = "The existing voice is not in notes of a whole bar; each of its notes was taken as a cantus note."
        return [_unit_of_note(note, existing) for note in notes], remark
    last = notes[-1].end
    bars = [bar for bar in existing.bars if notes[0].onset < bar.end and bar.start < last]
    units = [Unit(bar.start, _bar_pulses(bar), existing.sounds_in(bar)) for bar in bars[:-1]]
    closing = max(notes[-1].onset, bars[-1].start)
    if closing > bars[-1].start:  # the last note is met by a note of its own
        units.append(Unit(bars[-1].start, (closing - bars[-1].start,), existing.sounds_in(bars[-1])))
    units.append(Unit(closing, (last - closing,), True))
    return units, "The existing voice is not in even notes; each bar was taken as one cantus note."


def _fills_bar(note: VoiceNote, existing: Existing) -> bool:
    bar = existing.bar_at(note.onset)
    return note.onset == bar.start and note.duration == bar.length


def _unit_of_note(note: VoiceNote, existing: Existing) -> Unit:
    if _fills_bar(note, existing):
        return Unit(note.onset, _bar_pulses(existing.bar_at(note.onset)), True)
    count = 3 if note.duration.numerator % 3 == 0 else 4
    return Unit(note.onset, (note.duration / count,) * count, True)


def _bar_pulses(bar: Bar) -> tuple[Fraction, ...]:
    if bar.missing or bar.length != bar.metre.bar:
        return (bar.length / 4,) * 4
    lengths = [after - before for before, after in pairwise([*bar.metre.beats, bar.metre.bar])]
    if len(lengths) > 2:
        return tuple(lengths)
    parts = 4 if len(lengths) == 1 else 3 if bar.metre.is_compound else 2
    return tuple(length / parts for length in lengths for _ in range(parts))


def species_slots(
    units: Sequence[Unit], species: int, existing: Existing, rng: Random, plain_close: bool = False
) -> list[Slot]:
    """With `plain_close` the last unit but one is a single note, as teachers allow where two have no room."""
    slots: list[Slot] = []
    used: list[list[_Part]] = []
    for number, unit in enumerate(units):
        from_end = len(units) - number
        if plain_close and from_end == 2 and number:
            pattern = _parts(str(len(unit.pulses)), unit)
        else:
            is_first = number == 0 or not units[number - 1].sounding
            pattern = _pattern(unit, species, is_first, from_end, used, rng)
        onset = unit.start
        for place, (entry, duration, is_split) in enumerate(pattern):
            if entry is not Entry.REST and unit.sounding:
                slot = existing.slot(onset, duration, entry)
                slot.leads = place == 0
                slot.stepwise = is_split
                slot.closes = from_end == 2
                slot.syncopates = species == 4 and place == 0 and bool(slots) and from_end > 1
                if place:
                    slot.dissonance = _allowed(species, place, pattern, unit)
                if slots and place and pattern[place - 1][0] is Entry.MAY_TIE:
                    slot.earlier = slots[-1].before
                slots.append(slot)
            onset += duration
        used.append(pattern)
    return slots


def _allowed(species: int, place: int, pattern: Sequence[_Part], unit: Unit) -> int:
    if species == 2:
        return PASSING
    if species in (3, 5) and pattern[place][1] <= unit.length / 3:
        is_cambiata = place == 1 and len(pattern) == len(unit.pulses) >= 4
        return PASSING | NEIGHBOUR | (CAMBIATA if is_cambiata else 0)
    return 0


_FLORID = {
    3: ["2 1", "~1 2", "1 1 1", "1 2", "~1 1 1", "1 1/2 1/2 1"],
    4: ["2 2", "~2 2", "~2 1 1", "1 1 1 1", "2 1 1", "~1 1 2", "1 1 2", "1 1/2 1/2 2", "~1 1/2 1/2 2", "~2 1 1/2 1/2"],
    6: ["3 3", "~3 3", "2 1 3", "~3 1 1 1", "1 1 1 1 1 1", "3 2 1", "~3 2 1", "~2 1 3"],
}
"""Rhythms of florid counterpoint, by the pulses of the unit: `~` may be tied to the note before."""


def _pattern(
    unit: Unit, species: int, is_first: bool, from_end: int, used: list[list[_Part]], rng: Random
) -> list[_Part]:
    count = len(unit.pulses)
    long, short = (count + 1) // 2, count // 2
    if from_end == 1 or species == 1 or count == 1:
        return [(Entry.STRIKE, unit.length, False)]
    if species == 2:
        return _parts(f"{'r' if is_first else ''}{long} {short}", unit)
    if species == 3:
        return _parts(" ".join("1" * count), unit)
    if is_first:
        return _parts(f"r{short} {long}", unit)
    syncope = _parts(f"~{short} {long}", unit)
    if species == 4 or (from_end == 2 and _can_tie(used[-1], syncope)):
        return syncope
    if from_end == 2:
        return _parts(f"{short} {long}", unit)
    options = [_parts(text, unit) for text in _FLORID.get(count, [" ".join("1" * count), f"~{short} {long}"])]
    options = [option for option in options if _goes_after(used[-1], option)] or options
    if from_end == 3:  # long enough to be tied into the cadence
        options = [option for option in options if _can_tie(option, syncope)] or options
    least = min(map(used.count, options))
    return rng.choice([option for option in options if used.count(option) == least])


def _goes_after(previous: list[_Part], pattern: list[_Part]) -> bool:
    both_quick = len(pattern) > 3 and len(previous) > 3
    return pattern != previous and not both_quick and _can_tie(previous, pattern)


def _can_tie(previous: list[_Part], pattern: list[_Part]) -> bool:
    """A tie leads to a note that is not longer than the one it comes from."""
    return pattern[0][0] is not Entry.MAY_TIE or previous[-1][1] >= pattern[0][1]


def _parts(text: str, unit: Unit) -> list[_Part]:
    """Read `~2 1 1/2 1/2` as lengths in pulses of the unit; `r` is a rest."""
    entries = {"~": Entry.MAY_TIE, "r": Entry.REST}
    parts, at = [], Fraction(0)
    for word in text.split():
        pulses = Fraction(word.lstrip("~r"))
        place = int(at)
        length = sum(unit.pulses[place : place + int(pulses)], Fraction(0)) or unit.pulses[place] * pulses
        parts.append((entries.get(word[0], Entry.STRIKE), length, pulses < 1))
        at += pulses
    return parts
