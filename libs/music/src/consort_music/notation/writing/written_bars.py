"""Write the voices of a notated score bar by bar: note values, rests, ties, tuplets and beams, as an engraver would.

The MusicXML writer and the text form of a score share this. Times are ticks, `divisions` per quarter note.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from consort_music.bars import Bar
from consort_music.metre import Metre
from consort_music.notation.writing.beams import Beam, Beamable, find_beams
from consort_music.notation.writing.divisions import MOST_DIVISIONS
from consort_music.notation.writing.notated_score import NotatedChord, NotatedScore, NotatedVoice, notated_from_score
from consort_music.notation.writing.note_values import BarGrid, BarSpan, NoteValue
from consort_music.notation.writing.voice_separation import pieces_in_bar

_AT_LEAST = 4
_EIGHTH = "eighth"


class TickBar(NamedTuple):
    """A bar in ticks, with its number as written, and whether that is marked as implicit.

    `lead` is the number of ticks that a pickup is shorter than a full bar; 0 for other bars.
    """

    number: int
    is_implicit: bool
    start: int
    end: int
    lead: int
    metre: Metre


class TickChord(NamedTuple):
    """A chord with its start and end in ticks."""

    start: int
    end: int
    chord: NotatedChord


class WrittenValue(NamedTuple):
    """A note value at tick `at`: of a chord, or of a rest if `chord` is None."""

    at: int
    value: NoteValue
    chord: NotatedChord | None
    is_first: bool
    """The chord starts here; otherwise it is tied to the value before."""
    is_tied: bool
    """The chord goes on in the next value."""
    beams: tuple[Beam, ...] = ()


class WrittenVoice(NamedTuple):
    """The voice at `place` in its staff, in a bar. `values` is empty if the voice rests for the whole bar."""

    place: int
    values: tuple[WrittenValue, ...]


class BarWriter:
    """Writes the voices of a score bar by bar."""

    def __init__(self, score: NotatedScore) -> None:
        self.score, self.divisions = _with_divisions(score)
        self.bars = [self._bar(bar) for bar in self.score.bars]
        self._grids: dict[Metre, BarGrid] = {}

    def ticks(self, quarters: Fraction) -> int:
        return quarters.numerator * self.divisions // quarters.denominator

    def in_ticks(self, voice: NotatedVoice) -> list[TickChord]:
        return [TickChord(self.ticks(chord.start), self.ticks(chord.end), chord) for chord in voice]

    def staff_bars(
        self, voices: Sequence[NotatedVoice], edges: Sequence[int] = ()
    ) -> Iterator[tuple[TickBar, list[WrittenVoice]]]:
        """Yield each bar with its voices. Values are cut at `edges`: the ticks of key changes within a bar.

        The first voice is in every bar; another one only in bars in which it has a note.
        """
        found = [self.in_ticks(voice) for voice in voices] or [[]]
        places = [0] * len(found)
        for bar in self.bars:
            inside = [edge for edge in edges if bar.start < edge < bar.end]
            written = []
            for index, voice in enumerate(found):
                place = places[index]
                if index and not (place < len(voice) and voice[place].start < bar.end):
                    continue
                values, places[index] = self._voice(bar, voice, place, inside)
                written.append(WrittenVoice(index, values))
            sounding = [voice for voice in written if voice.values]
            yield bar, (sounding if sounding and _is_silent(written[0]) else written)

    def _bar(self, bar: Bar) -> TickBar:
        lead = self.ticks(max(bar.missing, Fraction(0)))
        number, is_implicit = self.score.written_number(bar)
        return TickBar(number, is_implicit, self.ticks(bar.start), self.ticks(bar.end), lead, bar.metre)

    def _grid(self, metre: Metre) -> BarGrid:
        grid = self._grids.get(metre)
        if grid is None:
            grid = self._grids[metre] = BarGrid(metre, self.divisions)
        return grid

    def _voice(
        self, bar: TickBar, voice: Sequence[TickChord], place: int, edges: Sequence[int]
    ) -> tuple[tuple[WrittenValue, ...], int]:
        """Return the values of a voice in a bar, and the index of its first chord of the next bar."""
        pieces, place = pieces_in_bar(voice, place, bar.start, bar.end, edges)
        is_silent = len(pieces) == 1 and pieces[0][0] is None
        if is_silent and not edges and (bar.end - bar.start == self.ticks(bar.metre.bar)):
            return (), place
        grid = self._grid(bar.metre)
        shift = bar.lead - bar.start
        spans = [BarSpan(begin + shift, end + shift, chord is None) for chord, begin, end in pieces]
        flat: list[WrittenValue] = []
        beamable: list[Beamable] = []
        at = bar.start
        for (sounding, _, _), written in zip(pieces, grid.write(spans), strict=True):
            for value in written:
                after = at + value.ticks
                chord = sounding.chord if sounding else None
                is_first = sounding is not None and at == sounding.start
                flat.append(WrittenValue(at, value, chord, is_first, sounding is not None and after < sounding.end))
                beat, group = grid.beam_beat(at + shift), grid.beam_group(at + shift)
                is_plain = value.kind == _EIGHTH and not value.dots and value.actual == 1
                beamable.append(Beamable(beat, value.kind, chord is None, group, is_plain))
                at = after
        beams = find_beams(beamable)
        return tuple(
            value._replace(beams=beam) if beam else value for value, beam in zip(flat, beams, strict=True)
        ), place


def _is_silent(voice: WrittenVoice) -> bool:
    return not any(value.chord for value in voice.values)


def _with_divisions(score: NotatedScore) -> tuple[NotatedScore, int]:
    """Return the score and its ticks per quarter note. Times are rounded if they have no common divisor."""
    divisions = _AT_LEAST
    for denominator in set(_denominators(score)):
        divisions = math.lcm(divisions, denominator)
        if divisions > MOST_DIVISIONS:
            return _with_divisions(notated_from_score(score.to_score(), score.composer))
    return score, divisions


def _denominators(score: NotatedScore) -> Iterator[int]:
    for part in score.parts:
        for staff in part.staves:
            for voice in staff.voices:
                for chord in voice:
                    yield chord.start.denominator
                    yield chord.duration.denominator
    for changes in (score.metres, score.keys, score.tempos, score.tempo_words, score.note_words, score.rehearsal_marks):
        for at, _ in changes:
            yield at.denominator
    for moment in (score.pickup, score.rest_to, *(mark.start for mark in score.chords)):
        yield moment.denominator
    for _, metre in score.metres:
        yield metre.denominator
