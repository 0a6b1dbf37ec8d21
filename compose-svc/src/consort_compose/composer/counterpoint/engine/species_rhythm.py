"""Choose the slots of the five species: the onsets and lengths of the new voice's notes."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from random import Random

from consort_compose.composer.counterpoint.engine.existing_voice import ExistingVoice
from consort_compose.composer.counterpoint.engine.note_slot import CAMBIATA, NEIGHBOUR, PASSING, NoteSlot, SlotEntry
from consort_compose.composer.counterpoint.spelled_tones import VoiceNote
from consort_music.bars import Bar

_RhythmPart = tuple[SlotEntry, Fraction, bool]
"""One note or rest: its entry, its length, and whether it is shorter than a pulse."""

_FLORID_RHYTHMS = {
    3: ["2 1", "~1 2", "1 1 1", "1 2", "~1 1 1", "1 1/2 1/2 1"],
    4: ["2 2", "~2 2", "~2 1 1", "1 1 1 1", "2 1 1", "~1 1 2", "1 1 2", "1 1/2 1/2 2", "~1 1/2 1/2 2", "~2 1 1/2 1/2"],
    6: ["3 3", "~3 3", "2 1 3", "~3 1 1 1", "1 1 1 1 1 1", "3 2 1", "~3 2 1", "~2 1 3"],
}
"""By number of pulses in a unit: rhythms of the fifth species, in the notation of `_parse_rhythm`."""
_KEEP_ALL_TIES = 0.2
"""The share of voices of the fourth species that have as many ties as possible. Few such voices exist for a cantus."""
_UNITS_PER_RESTART = 5
"""In the other voices, a new note does not count against the voice in one inner unit of this many."""
_FLORID_TIES = 0.6
"""How often a unit of the fifth species begins with a tie, where both are possible."""


@dataclass(frozen=True, slots=True)
class CantusUnit:
    """The time of one cantus note. In a melody of unequal notes, a bar counts as one cantus note."""

    start: Fraction
    pulses: tuple[Fraction, ...]
    """Lengths of the notes that the third species has in it: four quarters in a bar of 4/4, six eighths in 6/8."""
    sounding: bool
    """False if the existing voice rests."""

    @property
    def length(self) -> Fraction:
        return sum(self.pulses, Fraction(0))


def divide_into_units(existing: ExistingVoice, species: int) -> tuple[list[CantusUnit], str | None]:
    """Return the units of the cantus, and a remark if its notes are not whole bars, otherwise None."""
    notes = existing.notes
    gapless = all(one.end == other.onset for one, other in pairwise(notes))
    whole_bars = gapless and all(_fills_bar(note, existing) for note in notes[:-1])
    whole_bars = whole_bars and existing.bar_at(notes[-1].onset).start == notes[-1].onset
    equal = gapless and len({note.duration for note in notes[:-1]}) <= 1
    if whole_bars:
        return [_unit_of_note(note, existing) for note in notes], None
    if species == 1 or equal:
        remark = "The notes of the existing voice are not whole bars; each note was taken as one cantus note."
        return [_unit_of_note(note, existing) for note in notes], remark
    last = notes[-1].end
    bars = [bar for bar in existing.bars if notes[0].onset < bar.end and bar.start < last]
    units = [CantusUnit(bar.start, _bar_pulses(bar), existing.sounds_in(bar)) for bar in bars[:-1]]
    closing = max(notes[-1].onset, bars[-1].start)
    if closing > bars[-1].start:  # the last note gets its own unit
        units.append(CantusUnit(bars[-1].start, (closing - bars[-1].start,), existing.sounds_in(bars[-1])))
    units.append(CantusUnit(closing, (last - closing,), True))
    return units, "The notes of the existing voice are not equally long; each bar was taken as one cantus note."


def _fills_bar(note: VoiceNote, existing: ExistingVoice) -> bool:
    bar = existing.bar_at(note.onset)
    return note.onset == bar.start and note.duration == bar.length


def _unit_of_note(note: VoiceNote, existing: ExistingVoice) -> CantusUnit:
    if _fills_bar(note, existing):
        return CantusUnit(note.onset, _bar_pulses(existing.bar_at(note.onset)), True)
    count = 3 if note.duration.numerator % 3 == 0 else 4
    return CantusUnit(note.onset, (note.duration / count,) * count, True)


def _bar_pulses(bar: Bar) -> tuple[Fraction, ...]:
    """Return the pulses of a bar: its beats, or parts of its beats if it has only one or two."""
    if bar.missing or bar.length != bar.metre.bar:
        return (bar.length / 4,) * 4
    lengths = [after - before for before, after in pairwise([*bar.metre.beats, bar.metre.bar])]
    if len(lengths) > 2:
        return tuple(lengths)
    parts = 4 if len(lengths) == 1 else 3 if bar.metre.is_compound else 2
    return tuple(length / parts for length in lengths for _ in range(parts))


def make_species_slots(
    units: Sequence[CantusUnit], species: int, existing: ExistingVoice, rng: Random, plain_close: bool = False
) -> list[NoteSlot]:
    """Return the slots of a species. With `plain_close` the second-to-last unit has a single note."""
    slots: list[NoteSlot] = []
    used: list[list[_RhythmPart]] = []
    restarts = _choose_restarts(len(units), rng) if species == 4 else []
    for number, unit in enumerate(units):
        from_end = len(units) - number
        if plain_close and from_end == 2 and number:
            pattern = _parse_rhythm(str(len(unit.pulses)), unit)
        else:
            is_first = number == 0 or not units[number - 1].sounding
            pattern = _choose_rhythm(unit, species, is_first, from_end, used, rng)
        onset = unit.start
        for place, (entry, duration, is_split) in enumerate(pattern):
            if entry is not SlotEntry.REST and unit.sounding:
                slot = existing.make_slot(onset, duration, entry)
                slot.leads = place == 0
                slot.stepwise = is_split
                slot.closes = from_end == 2
                slot.syncopates = species == 4 and place == 0 and bool(slots) and from_end > 1
                slot.may_restart = slot.syncopates and number in restarts
                if place:
                    slot.dissonance = _allowed_dissonances(species, place, pattern, unit)
                if slots and place and pattern[place - 1][0] is SlotEntry.MAY_TIE:
                    slot.earlier = slots[-1].before
                slots.append(slot)
            onset += duration
        used.append(pattern)
    return slots


def _choose_restarts(count: int, rng: Random) -> list[int]:
    """Return the units of the fourth species that may begin with a new note. `count` is the number of units."""
    inner = range(1, count - 2)
    if not inner or rng.random() < _KEEP_ALL_TIES:
        return []
    return rng.sample(inner, -(-len(inner) // _UNITS_PER_RESTART))


def _allowed_dissonances(species: int, place: int, pattern: Sequence[_RhythmPart], unit: CantusUnit) -> int:
    """Return the kinds of dissonance, as bits, that are allowed for a note that is not the first of its unit."""
    if species == 2:
        return PASSING
    if species in (3, 5) and pattern[place][1] <= unit.length / 3:
        is_cambiata = place == 1 and len(pattern) == len(unit.pulses) >= 4
        return PASSING | NEIGHBOUR | (CAMBIATA if is_cambiata else 0)
    return 0


def _choose_rhythm(
    unit: CantusUnit, species: int, is_first: bool, from_end: int, used: list[list[_RhythmPart]], rng: Random
) -> list[_RhythmPart]:
    """Return the rhythm of a unit. For species 5, draw one of the rhythms that are rarest in `used`."""
    count = len(unit.pulses)
    long, short = (count + 1) // 2, count // 2
    if from_end == 1 or species == 1 or count == 1:
        return [(SlotEntry.STRIKE, unit.length, False)]
    if species == 2:
        return _parse_rhythm(f"{'r' if is_first else ''}{long} {short}", unit)
    if species == 3:
        return _parse_rhythm(" ".join("1" * count), unit)
    if is_first:
        return _parse_rhythm(f"r{short} {long}", unit)
    syncope = _parse_rhythm(f"~{short} {long}", unit)
    if species == 4 or (from_end == 2 and _can_tie(used[-1], syncope)):
        return syncope
    if from_end == 2:
        return _parse_rhythm(f"{short} {long}", unit)
    options = [
        _parse_rhythm(text, unit) for text in _FLORID_RHYTHMS.get(count, [" ".join("1" * count), f"~{short} {long}"])
    ]
    options = [option for option in options if _may_follow(used[-1], option)] or options
    if from_end == 3:  # the last note of this unit must be long enough to be tied into the cadence
        options = [option for option in options if _can_tie(option, syncope)] or options
    ties = rng.random() < _FLORID_TIES
    options = [option for option in options if (option[0][0] is SlotEntry.MAY_TIE) == ties] or options
    least = min(map(used.count, options))
    return rng.choice([option for option in options if used.count(option) == least])


def _may_follow(previous: list[_RhythmPart], pattern: list[_RhythmPart]) -> bool:
    both_quick = len(pattern) > 3 and len(previous) > 3
    return pattern != previous and not both_quick and _can_tie(previous, pattern)


def _can_tie(previous: list[_RhythmPart], pattern: list[_RhythmPart]) -> bool:
    """Return whether a tie into `pattern` is possible, or not wanted. A note is not tied to a longer note."""
    return pattern[0][0] is not SlotEntry.MAY_TIE or previous[-1][1] >= pattern[0][1]


def _parse_rhythm(text: str, unit: CantusUnit) -> list[_RhythmPart]:
    """Read a rhythm such as `r2 ~2 1 1/2 1/2`.

    Numbers are lengths in pulses of the unit. `r` marks a rest, `~` a note that may be tied to the previous one.
    """
    entries = {"~": SlotEntry.MAY_TIE, "r": SlotEntry.REST}
    parts, at = [], Fraction(0)
    for word in text.split():
        pulses = Fraction(word.lstrip("~r"))
        place = int(at)
        length = sum(unit.pulses[place : place + int(pulses)], Fraction(0)) or unit.pulses[place] * pulses
        parts.append((entries.get(word[0], SlotEntry.STRIKE), length, pulses < 1))
        at += pulses
    return parts
