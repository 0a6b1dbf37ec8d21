"""The state of a part of MusicXML while it is read: settings, position in the measure, and lengths of notes."""

from fractions import Fraction
from typing import NamedTuple

from consort_music.errors import MusicError
from consort_music.intervals import Interval
from consort_music.metre import COMMON_TIME
from consort_music.notation.limits import MAX_BARS, check_common_divisor
from consort_music.notation.musicxml.values import duration_in, number_in, value_of
from consort_music.notation.musicxml.xml_elements import Element
from consort_music.notation.score_builder import ReadMeasure, ReadPart
from consort_music.pitch import Pitch

MAX_KNOWN = 4096
"""Lengths and pitches that are remembered per part."""


class Length(NamedTuple):
    """The length of a note, in divisions as written and in quarter notes.

    If `is_rounded`, the divisions are a rounded value and the quarter notes are exact.
    """

    divisions: Fraction
    quarters: Fraction
    is_rounded: bool = False


class PartReading:
    """The state of one part while it is read: the settings for its next note, and its position in the measure.

    `now` is the position of the next note and `onset` that of the last one, both in quarter notes.
    """

    def __init__(self, name: str, instrument: str | None) -> None:
        self.name = name
        self.instrument = instrument
        self.staves: dict[int, list[ReadMeasure]] = {1: []}
        self.tab_staves: set[int] = set()
        self.divisions = Fraction(1)
        self.interval = Interval(0, 0)
        self.metre = COMMON_TIME
        self.measures = 0
        self.onset = Fraction(0)
        self.now = Fraction(0)
        self.lengths: dict[tuple[str | int | None, ...], Length] = {}
        self.pitches: dict[tuple[str, ...], Pitch] = {}
        self._in_divisions: Fraction | None = None
        self._exact: dict[Fraction, Fraction] = {}
        self._sounds_to = Fraction(0)

    def begin_measure(self) -> None:
        self.end_measure()
        self.now = self.onset = self._sounds_to = Fraction(0)
        self._in_divisions = None
        self.measures += 1
        if self.measures > MAX_BARS:
            raise MusicError("TOO_LARGE", f"The MusicXML has more than {MAX_BARS:,} measures. Send it in pieces.")
        for measures in self.staves.values():
            measures.append(ReadMeasure())

    def set_divisions(self, divisions: Fraction) -> None:
        if divisions != self.divisions:
            self.divisions = divisions
            self.lengths = {}
            self._in_divisions = None

    @property
    def measure(self) -> ReadMeasure:
        return self.staves[1][-1]

    def staff(self, number: int) -> ReadMeasure:
        if number not in self.staves:
            self.staves[number] = [ReadMeasure() for _ in range(self.measures)]
        return self.staves[number][-1]

    def end_measure(self) -> None:
        """End the measure. Rests, of which some programs write too many, do not make it longer than its metre."""
        if self.measures:
            self.measure.length = max(self._sounds_to, min(self.measure.length, self.metre.bar))

    def moment(self, element: Element) -> Fraction:
        """Return the position of a mark: the current one, moved by the mark's offset."""
        offset = element.text_of("offset")
        moved = number_in(offset, "offset") / self.divisions if offset else Fraction(0)
        return max(self.now + moved, Fraction(0))

    def advance(self, length: Length, is_sound: bool) -> None:
        """Move the position forward by a note or rest."""
        if length.is_rounded and self._in_divisions is None:
            self._in_divisions, self._exact = self.now * self.divisions, {}
        if self._in_divisions is not None:
            self._exact[self._in_divisions] = self.now
            self._in_divisions += length.divisions
        self.onset = self.now
        self.now += length.quarters
        check_common_divisor(self.now, self.measures)
        if self.now > self.measure.length:
            self.measure.length = self.now
        if is_sound and self.now > self._sounds_to:
            self._sounds_to = self.now

    def move(self, by: Fraction) -> None:
        """Move the position by a number of divisions, forward or (if negative) back.

        If lengths in this measure were rounded, move to the exact position of the note that starts there.
        """
        if self._in_divisions is None:
            self.now = max(self.now + by / self.divisions, Fraction(0))
        else:
            self._exact[self._in_divisions] = self.now
            self._in_divisions = max(self._in_divisions + by, Fraction(0))
            known = self._exact.get(self._in_divisions)
            self.now = self._in_divisions / self.divisions if known is None else known
        if self.now > self.measure.length:
            self.measure.length = self.now

    def parts(self) -> list[ReadPart]:
        staves = sorted((number, staff) for number, staff in self.staves.items() if number not in self.tab_staves)
        if len(staves) < 2:
            return [ReadPart(self.name, staves[0][1] if staves else self.staves[1], self.instrument)]
        return [ReadPart(f"{self.name}, staff {number}", measures, self.instrument) for number, measures in staves]


def length_of(element: Element, found: dict[str, Element], part: PartReading) -> Length:
    """Return the length of a note: its duration, or its note value if the divisions cannot express that exactly."""
    duration = found["duration"].text if "duration" in found else "0"
    kind = found["type"].text if "type" in found else ""
    ratio = found.get("time-modification")
    dots = sum(child.tag == "dot" for child in element.children) if "dot" in found else 0
    notes = (ratio.text_of("actual-notes"), ratio.text_of("normal-notes")) if ratio else ()
    key = (duration, kind, dots, *notes)
    known = part.lengths.get(key)
    if known is None:
        divisions = duration_in(duration.strip())
        known = Length(divisions, divisions / part.divisions)
        value = value_of(kind.strip(), dots, ratio)
        if value is not None:
            exact = value * part.divisions
            off = abs(exact - divisions)
            if exact.denominator > 1 and off < 1 and (ratio is not None or off < exact / 8):
                known = Length(divisions, value, is_rounded=True)
        if len(part.lengths) < MAX_KNOWN:
            part.lengths[key] = known
    return known
