"""Write a score as MusicXML 4.0 (score-partwise) text.

Every measure is complete, with rests where there is no note (`written_bars`). MusicXML only has major, minor and the
church modes; any other key is written as the one of these with the same tonic and key signature.

A `NotatedScore` is written as it is to be engraved: with transposed parts, drums by place and note head, and staves for
tablature. A plain `Score` is written at sounding pitch, one staff a part, drums too, so that it reads back the same.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from consort_music.intervals import Interval
from consort_music.keys import Key
from consort_music.metre import Metre
from consort_music.notation.musicxml.accidentals import shown_accidentals
from consort_music.notation.musicxml.attribute_elements import (
    PrintedPage,
    clef_element,
    key_element,
    page_element,
    part_list,
    tab_details,
    time_element,
    transpose_element,
)
from consort_music.notation.musicxml.chord_kinds import harmony
from consort_music.notation.musicxml.direction_elements import (
    SWING,
    clean_text,
    rehearsal_element,
    tempo_element,
    words_element,
)
from consort_music.notation.musicxml.note_elements import NoteWriter
from consort_music.notation.writing.instrument_writing import clef_of, sounding_interval
from consort_music.notation.writing.notated_score import NotatedPart, NotatedScore, NotatedStaff, notated_from_score
from consort_music.notation.writing.written_bars import BarWriter, TickBar, WrittenVoice
from consort_music.score import Score
from consort_music.transposition import transpose_key

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" '
    '"http://www.musicxml.org/dtds/partwise.dtd">\n<score-partwise version="4.0">\n'
)
_FINAL_BAR = '<barline location="right"><bar-style>light-heavy</bar-style></barline>\n'
_VOICES_PER_STAFF = 4
_DRUM_STEMS = ("<stem>up</stem>", "<stem>down</stem>")
"""Of the hands and of the feet, also where one of them rests."""
_UNISON = Interval(0, 0)
_EMPTY_PART = NotatedPart("part 1", (NotatedStaff(()),))


def write_musicxml(score: Score | NotatedScore, page: PrintedPage | None = None) -> str:
    if isinstance(score, Score):
        return _Writer(notated_from_score(score), is_engraved=False).text(page)
    return _Writer(score, is_engraved=True).text(page)


class _MusicXmlMark(NamedTuple):
    """A key change, tempo or chord symbol at tick `at`. If `needs_edge` (key changes), notes across it are split."""

    at: int
    xml: str
    needs_edge: bool = False


class _Writer:
    def __init__(self, score: NotatedScore, is_engraved: bool) -> None:
        self.bars = BarWriter(score)
        self._score = score = self.bars.score
        self.is_engraved = is_engraved
        keys = sorted((self.bars.ticks(at), key) for at, key in score.keys)
        self._keys = [(0 if place == 0 else at, key) for place, (at, key) in enumerate(keys)]
        self.fermatas = {self.bars.ticks(at) for at in score.fermatas}
        self.hides_idle_rests = score.hides_idle_rests

    def text(self, page: PrintedPage | None) -> str:
        score = self._score
        parts = score.parts or (_EMPTY_PART,)
        pieces = [_HEAD]
        if score.title:
            pieces.append(f"<work><work-title>{clean_text(score.title)}</work-title></work>\n")
        if score.composer:
            creator = f'<creator type="composer">{clean_text(score.composer)}</creator>'
            pieces.append(f"<identification>{creator}</identification>\n")
        if page:
            pieces.append(page_element(page))
        if self.is_engraved:
            pieces.append(_credits(score))
        pieces.append(part_list(parts, is_engraved=self.is_engraved))
        with_chords = next((index for index, part in enumerate(parts) if not part.is_drums), 0)
        for index, part in enumerate(parts):
            marks = self._marks() if index == 0 else []
            if index == with_chords:
                marks += self._chord_marks()
            pieces.append(f'<part id="P{index + 1}">\n')
            pieces += self._part(part, index + 1, sorted(marks, key=lambda mark: mark.at))
            pieces.append("</part>\n")
        pieces.append("</score-partwise>\n")
        return "".join(pieces)

    def _part(self, part: NotatedPart, number: int, marks: Sequence[_MusicXmlMark]) -> Iterator[str]:
        interval = sounding_interval(part) if self.is_engraved else _UNISON
        keys = (
            []
            if part.is_drums and self.is_engraved
            else [(at, transpose_key(key, -interval)) for at, key in self._keys]
        )
        changes = [
            _MusicXmlMark(at, key_element(key, is_engraved=self.is_engraved), needs_edge=True) for at, key in keys
        ]
        everything = sorted([*changes, *marks], key=lambda mark: (mark.at, not mark.needs_edge))
        edges = [mark.at for mark in changes]
        writers = [
            _StaffWriter(self, part, staff, number, index + 1 if len(part.staves) > 1 else None, keys, interval)
            for index, staff in enumerate(part.staves)
        ]
        running = [self.bars.staff_bars(staff.voices, edges) for staff in part.staves]
        place, metre = 0, None
        for bars in zip(*running, strict=True):
            bar = bars[0][0]
            implicit = ' implicit="yes"' if bar.is_implicit else ""
            yield f'<measure number="{bar.number}"{implicit}>\n'
            until = place
            while until < len(everything) and everything[until].at < bar.end:
                until += 1
            here, place = list(everything[place:until]), until
            key = ""
            while here and here[0].needs_edge and here[0].at <= bar.start:
                key = here.pop(0).xml
            if head := self._attributes(part, bar, metre, key, interval):
                yield f"<attributes>{head}</attributes>\n"
            metre = bar.metre
            backup = f"<backup><duration>{bar.end - bar.start}</duration></backup>\n"
            is_first = True
            for index, (_, voices) in enumerate(bars):
                for voice in voices:
                    if not is_first:
                        yield backup
                    yield writers[index].voice(bar, voice, here if is_first else [])
                    is_first = False
            yield (_FINAL_BAR if bar is self.bars.bars[-1] and self._score.ends_piece else "") + "</measure>\n"

    def _attributes(self, part: NotatedPart, bar: TickBar, metre: Metre | None, key: str, interval: Interval) -> str:
        is_first = metre is None
        head = f"<divisions>{self.bars.divisions}</divisions>{key}" if is_first else key
        if bar.metre != metre:
            head += time_element(bar.metre)
        if is_first:
            several = len(part.staves) > 1
            numbers = [index + 1 if several else None for index in range(len(part.staves))]
            head += f"<staves>{len(part.staves)}</staves>" if several else ""
            staves = list(zip(part.staves, numbers, strict=True))
            head += "".join(clef_element(clef_of(part, staff), number) for staff, number in staves)
            head += "".join(tab_details(staff, number, part.capo) for staff, number in staves if staff.strings)
            head += transpose_element(interval)
        return head

    def _marks(self) -> list[_MusicXmlMark]:
        """Return tempos, words and rehearsal marks. Words and a tempo at the same time are one mark."""
        score, ticks = self._score, self.bars.ticks
        marks: list[_MusicXmlMark] = []
        words = dict(score.tempo_words)
        swing = next((at for at, text in score.tempo_words if text.casefold().startswith(SWING)), None)
        for at, bpm in score.tempos:
            metre = score.bar_lines.bar_at(at).metre
            marks.append(_MusicXmlMark(ticks(at), tempo_element(bpm, metre, words.pop(at, None), at == swing)))
        marks += [_MusicXmlMark(ticks(at), words_element(text)) for at, text in (*words.items(), *score.note_words)]
        marks += [_MusicXmlMark(ticks(at), rehearsal_element(mark)) for at, mark in score.rehearsal_marks]
        return marks

    def _chord_marks(self) -> list[_MusicXmlMark]:
        return [_MusicXmlMark(self.bars.ticks(mark.start), harmony(mark.symbol)) for mark in self._score.chords]


class _StaffWriter:
    """Writes the voices of a staff. `number` is that of the staff if its part has several."""

    def __init__(
        self,
        writer: _Writer,
        part: NotatedPart,
        staff: NotatedStaff,
        part_number: int,
        number: int | None,
        keys: Sequence[tuple[int, Key]],
        interval: Interval,
    ) -> None:
        self._notes = NoteWriter(
            part_number,
            is_drums=part.is_drums and writer.is_engraved,
            is_tab=bool(staff.strings),
            moved=-interval,
            divisions=writer.bars.divisions if writer.is_engraved else None,
        )
        self._bars = writer.bars
        self._fermatas = writer.fermatas
        self._hides_rests = writer.hides_idle_rests
        self._staff = f"<staff>{number}</staff>" if number else ""
        self._stems = _DRUM_STEMS if part.is_drums and writer.is_engraved and len(staff.voices) > 1 else ()
        self._first_voice = _VOICES_PER_STAFF * (number - 1) + 1 if number else 1
        is_plain = staff.strings or (part.is_drums and writer.is_engraved)
        self._accidentals = {} if is_plain else shown_accidentals(self._bars, staff, keys, -interval)

    def voice(self, bar: TickBar, voice: WrittenVoice, marks: Sequence[_MusicXmlMark]) -> str:
        number = f"<voice>{self._first_voice + voice.place}</voice>"
        if not voice.values:
            return "".join(_placed(mark, bar.start) for mark in marks) + self._notes.bar_rest(
                bar.end - bar.start, number + self._staff
            )
        stem = self._stems[voice.place] if voice.place < len(self._stems) else ""
        xml: list[str] = []
        place = 0
        is_idle = self._idle_rests(voice)
        for value, hidden in zip(voice.values, is_idle, strict=True):
            after = value.at + value.value.ticks
            while place < len(marks) and marks[place].at < after:
                xml.append(_placed(marks[place], value.at))
                place += 1
            if hidden:
                xml.append(f"<forward><duration>{value.value.ticks}</duration>{number}{self._staff}</forward>\n")
                continue
            held = "<fermata/>" if value.at in self._fermatas else ""
            xml.append(self._notes.written(value, number, self._staff, self._accidentals, held, stem))
        return "".join(xml)

    def _idle_rests(self, voice: WrittenVoice) -> list[bool]:
        """Return which values are rests that are left out. Those of tuplets stay: a bracket may start at them."""
        sounding = [index for index, value in enumerate(voice.values) if value.chord]
        if not self._hides_rests or not voice.place or not sounding:
            return [False] * len(voice.values)
        return [
            not sounding[0] <= index <= sounding[-1] and value.value.actual == 1
            for index, value in enumerate(voice.values)
        ]


def _credits(score: NotatedScore) -> str:
    """Return the title and the composer as they stand on the first page."""
    texts = (("title", score.title, "center"), ("composer", score.composer, "right"))
    return "".join(
        f'<credit page="1"><credit-type>{kind}</credit-type><credit-words justify="{side}" halign="{side}" '
        f'valign="top">{clean_text(text)}</credit-words></credit>\n'
        for kind, text, side in texts
        if text
    )


def _placed(mark: _MusicXmlMark, now: int) -> str:
    if mark.needs_edge:
        return f"<attributes>{mark.xml}</attributes>\n"
    offset = f"<offset>{mark.at - now}</offset>" if mark.at > now else ""
    return mark.xml.replace("<offset/>", offset)
