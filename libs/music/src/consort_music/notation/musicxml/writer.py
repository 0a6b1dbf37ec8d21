"""Write a score as MusicXML 4.0 (score-partwise) text.

Every measure is complete, with rests where there is no note. Lengths are split by `note_values`. Notes that overlap but
do not form a chord are written in separate voices. MusicXML only has major, minor and the church modes; any other key
is written as the one of these with the same tonic and key signature.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from consort_music.bars import Bar
from consort_music.beats import format_decimal
from consort_music.instruments import known_instrument
from consort_music.keys import Key
from consort_music.metre import Metre
from consort_music.notation.divisions import with_divisions
from consort_music.notation.musicxml.beams import Beamable, beams
from consort_music.notation.musicxml.chord_kinds import harmony
from consort_music.notation.note_values import BarGrid, BarSpan, NoteValue
from consort_music.notation.voice_separation import VoiceChord, pieces_in_bar, separate_voices
from consort_music.pitch import Pitch
from consort_music.score import DEFAULT_VELOCITY, Note, Part, Score
from consort_music.xml_escapes import escape_text

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" '
    '"http://www.musicxml.org/dtds/partwise.dtd">\n<score-partwise version="4.0">\n'
)
_FORTE = 90  # the velocity that MusicXML defines as 100 percent
_ACCIDENTALS = {-2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp"}
_TREBLE_FROM = 57  # parts whose pitches average A3 or higher get a treble clef


def write_musicxml(score: Score) -> str:
    return _Writer(*with_divisions(score)).text()


class _Bar(NamedTuple):
    """A bar in ticks. `lead` is the number of ticks that a pickup is shorter than a full bar; 0 for other bars."""

    number: int
    start: int
    end: int
    lead: int
    metre: Metre


class _MusicXmlMark(NamedTuple):
    """A key change, tempo or chord symbol at tick `at`. If `needs_edge` (key changes), notes across it are split."""

    at: int
    xml: str
    needs_edge: bool = False


class _Writer:
    def __init__(self, score: Score, divisions: int) -> None:
        self._score = score
        self._divisions = divisions
        self._grids: dict[Metre, BarGrid] = {}
        self._pitches: dict[Pitch, str] = {}
        self._values: dict[NoteValue, tuple[str, str]] = {}
        self._bars = [self._bar(bar) for bar in score.bars]
        keys = sorted((self._ticks(at), key) for at, key in score.keys)
        self._fermatas = {self._ticks(at) for at in score.fermatas}
        self._keys = [(0 if place == 0 else at, key) for place, (at, key) in enumerate(keys)]

    def text(self) -> str:
        score = self._score
        pieces = [_HEAD]
        if score.title:
            pieces.append(f"<work><work-title>{_clean(score.title)}</work-title></work>\n")
        pieces.append("<part-list>\n")
        parts = score.parts or (Part("part 1", ()),)
        channels = _channels(parts)
        for number, (part, channel) in enumerate(zip(parts, channels, strict=True), start=1):
            pieces.append(_score_part(part, number, channel))
        pieces.append("</part-list>\n")
        for number, part in enumerate(parts, start=1):
            pieces.append(f'<part id="P{number}">\n')
            pieces += self._measures(part, is_first=number == 1)
            pieces.append("</part>\n")
        pieces.append("</score-partwise>\n")
        return "".join(pieces)

    def _ticks(self, quarters: Fraction) -> int:
        return quarters.numerator * self._divisions // quarters.denominator

    def _bar(self, bar: Bar) -> _Bar:
        lead = self._ticks(max(bar.missing, Fraction(0)))
        return _Bar(bar.number, self._ticks(bar.start), self._ticks(bar.end), lead, bar.metre)

    def _grid(self, metre: Metre) -> BarGrid:
        grid = self._grids.get(metre)
        if grid is None:
            grid = self._grids[metre] = BarGrid(metre, self._divisions)
        return grid

    def _measures(self, part: Part, is_first: bool) -> Iterator[str]:
        found = separate_voices(part.notes, self._divisions)
        places = [0] * max(len(found), 1)
        marks = self._marks() if is_first else self._key_marks()
        mark_place = 0
        accidentals = self._accidentals(part.notes)
        clef = _clef(part)
        metre: Metre | None = None
        for bar in self._bars:
            implicit = ' implicit="yes"' if bar.number == 0 else ""
            yield f'<measure number="{bar.number}"{implicit}>\n'
            head = f"<divisions>{self._divisions}</divisions>" if metre is None else ""
            until = mark_place
            while until < len(marks) and marks[until].at < bar.end:
                until += 1
            here, mark_place = marks[mark_place:until], until
            while here and here[0].needs_edge and here[0].at <= bar.start:
                head += here.pop(0).xml
            if bar.metre != metre:
                head += _time(bar.metre)
            if metre is None:
                head += clef
            metre = bar.metre
            if head:
                yield f"<attributes>{head}</attributes>\n"
            yield self._voice(bar, found[0] if found else [], places, 0, here, accidentals)
            for index in range(1, len(found)):
                voice, place = found[index], places[index]
                if place < len(voice) and voice[place].start < bar.end:
                    yield f"<backup><duration>{bar.end - bar.start}</duration></backup>\n"
                    yield self._voice(bar, voice, places, index, [], accidentals)
            yield "</measure>\n"

    def _voice(
        self,
        bar: _Bar,
        voice: list[VoiceChord],
        places: list[int],
        index: int,
        marks: list[_MusicXmlMark],
        shown: dict[int, str],
    ) -> str:
        """Return the music of a voice in a bar, and set its entry in `places` to the first chord of the next bar."""
        edges = [mark.at for mark in marks if mark.needs_edge]
        pieces, places[index] = pieces_in_bar(voice, places[index], bar.start, bar.end, edges)
        is_silent = len(pieces) == 1 and pieces[0][0] is None
        if is_silent and not edges and bar.end - bar.start == self._ticks(bar.metre.bar):
            rest = f'<note><rest measure="yes"/><duration>{bar.end - bar.start}</duration><voice>{index + 1}</voice>'
            return "".join(self._mark(mark, bar.start) for mark in marks) + rest + "</note>\n"
        grid = self._grid(bar.metre)
        shift = bar.lead - bar.start
        spans = [BarSpan(begin + shift, end + shift, chord is None) for chord, begin, end in pieces]
        flat: list[tuple[VoiceChord | None, NoteValue]] = []
        beamable: list[Beamable] = []
        at = bar.lead
        for (sounding, _, _), written in zip(pieces, grid.write(spans), strict=True):
            for value in written:
                flat.append((sounding, value))
                beamable.append(Beamable(grid.beat(at), value.kind, sounding is None))
                at += value.ticks
        xml: list[str] = []
        now, mark_place = bar.start, 0
        for (sounding, value), beam in zip(flat, beams(beamable), strict=True):
            after = now + value.ticks
            while mark_place < len(marks) and marks[mark_place].at < after:
                xml.append(self._mark(marks[mark_place], now))
                mark_place += 1
            xml.append(self._chord(sounding, value, now, f"<voice>{index + 1}</voice>", beam, shown))
            now = after
        return "".join(xml)

    def _chord(
        self, chord: VoiceChord | None, value: NoteValue, now: int, voice: str, beam: str, shown: dict[int, str]
    ) -> str:
        after = now + value.ticks
        known = self._values.get(value)
        if known is None:
            known = self._values[value] = _value_xml(value)
        kind, tuplet = known
        tail = voice + kind
        if chord is None:
            notations = f"<notations>{tuplet}</notations>" if tuplet else ""
            return f"<note><rest/><duration>{value.ticks}</duration>{tail}{notations}</note>\n"
        ties = tied = ""
        is_start = now == chord.start
        if not is_start:
            ties, tied = '<tie type="stop"/>', '<tied type="stop"/>'
        if after < chord.end:
            ties, tied = f'{ties}<tie type="start"/>', f'{tied}<tied type="start"/>'
        held = "<fermata/>" if now in self._fermatas else ""
        length = f"<duration>{value.ticks}</duration>{ties}{voice}"
        pieces = []
        is_chord = ""
        for note in chord.notes:
            notations = f"<notations>{tied}{tuplet}{held}</notations>" if tied or tuplet or held else ""
            pitch = self._pitches.get(note.pitch) or self._pitch(note.pitch)
            accidental = shown.get(id(note), "") if is_start else ""
            loud = "" if note.velocity == DEFAULT_VELOCITY else f' dynamics="{note.velocity / _FORTE * 100:.2f}"'
            value_xml = _insert_accidental(kind, accidental) if accidental else kind
            pieces.append(f"<note{loud}>{is_chord}{pitch}{length}{value_xml}{beam}{notations}</note>\n")
            is_chord, tuplet, beam, held = "<chord/>", "", "", ""
        return "".join(pieces)

    def _pitch(self, pitch: Pitch) -> str:
        alter = f"<alter>{pitch.alter}</alter>" if pitch.alter else ""
        xml = f"<pitch><step>{pitch.step}</step>{alter}<octave>{pitch.octave}</octave></pitch>"
        self._pitches[pitch] = xml
        return xml

    def _accidentals(self, notes: Iterable[Note]) -> dict[int, str]:
        """Return the accidental to print for each note that has one, by `id(note)`, because hashing a note is slow.

        An accidental is printed if the note's alteration differs from the last one printed for the same letter and
        octave in this bar or, if there is none, from the key signature. A key change resets this.
        """
        shown: dict[int, str] = {}
        ends = iter([bar.end for bar in self._bars])
        bar_end = next(ends)
        keys = [*self._keys, (0, None)]
        place, signature = -1, dict.fromkeys("CDEFGAB", 0)
        said: dict[tuple[str, int], int] = {}
        for note in notes:
            start = self._ticks(note.start)
            while start >= bar_end:
                bar_end = next(ends)
                said = {}
            while place + 1 < len(self._keys) and keys[place + 1][0] <= start:
                place += 1
                key = keys[place][1]
                signature = {step: key.signature_alter(step) if key else 0 for step in "CDEFGAB"}
                said = {}
            step, alter, octave = note.pitch.step, note.pitch.alter, note.pitch.octave
            if said.get((step, octave), signature[step]) != alter:
                said[step, octave] = alter
                shown[id(note)] = f"<accidental>{_ACCIDENTALS[alter]}</accidental>"
        return shown

    def _marks(self) -> list[_MusicXmlMark]:
        """Return keys, tempos and chord symbols, sorted by time."""
        marks = self._key_marks()
        marks += [_MusicXmlMark(self._ticks(at), _tempo(bpm)) for at, bpm in self._score.tempos]
        marks += [_MusicXmlMark(self._ticks(mark.start), harmony(mark.symbol)) for mark in self._score.chords]
        return sorted(marks, key=lambda mark: (mark.at, not mark.needs_edge))

    def _key_marks(self) -> list[_MusicXmlMark]:
        return [_MusicXmlMark(at, _key(key), needs_edge=True) for at, key in self._keys]

    def _mark(self, mark: _MusicXmlMark, now: int) -> str:
        if mark.needs_edge:
            return f"<attributes>{mark.xml}</attributes>\n"
        offset = f"<offset>{mark.at - now}</offset>" if mark.at > now else ""
        return mark.xml.replace("<offset/>", offset)


def _value_xml(value: NoteValue) -> tuple[str, str]:
    """Return two XML texts for a note value: its type, dots and tuplet ratio; and its tuplet start and stop marks."""
    if not value.kind:
        return "", ""
    xml = f"<type>{value.kind}</type>" + "<dot/>" * value.dots
    if value.actual == 1:
        return xml, ""
    xml += (
        f"<time-modification><actual-notes>{value.actual}</actual-notes>"
        f"<normal-notes>{value.normal}</normal-notes></time-modification>"
    )
    opens = '<tuplet type="start"/>' if value.opens else ""
    closes = '<tuplet type="stop"/>' if value.closes else ""
    return xml, opens + closes


def _insert_accidental(kind: str, accidental: str) -> str:
    """Insert an accidental after the dots and before the tuplet ratio, as MusicXML requires."""
    head, found, tail = kind.partition("<time-modification>")
    return f"{head}{accidental}{found}{tail}"


def _time(metre: Metre) -> str:
    return f"<time><beats>{metre.numerator}</beats><beat-type>{metre.denominator}</beat-type></time>"


def _key(key: Key) -> str:
    return f"<key><fifths>{key.sharps}</fifths><mode>{key.church_mode}</mode></key>"


def _tempo(bpm: Fraction) -> str:
    per_minute = format_decimal(bpm)
    return (
        '<direction placement="above"><direction-type><metronome><beat-unit>quarter</beat-unit>'
        f"<per-minute>{per_minute}</per-minute></metronome></direction-type><offset/>"
        f'<sound tempo="{per_minute}"/></direction>\n'
    )


def _clef(part: Part) -> str:
    if not part.notes:
        return "<clef><sign>G</sign><line>2</line></clef>"
    if (instrument := known_instrument(part.instrument)) and instrument.is_drums:
        return "<clef><sign>percussion</sign></clef>"
    middle = sum(note.pitch.midi for note in part.notes) / len(part.notes)
    sign, line = ("G", 2) if middle >= _TREBLE_FROM else ("F", 4)
    return f"<clef><sign>{sign}</sign><line>{line}</line></clef>"


def _score_part(part: Part, number: int, channel: int) -> str:
    head = f'<score-part id="P{number}"><part-name>{_clean(part.name)}</part-name>'
    instrument = known_instrument(part.instrument)
    if instrument is None:
        return head + "</score-part>\n"
    program = "" if instrument.is_drums else f"<midi-program>{instrument.program + 1}</midi-program>"
    return (
        f'{head}<score-instrument id="P{number}-I1"><instrument-name>{_clean(instrument.name)}</instrument-name>'
        f'</score-instrument><midi-instrument id="P{number}-I1"><midi-channel>{channel}</midi-channel>{program}'
        "</midi-instrument></score-part>\n"
    )


def _channels(parts: Iterable[Part]) -> list[int]:
    """Return a MIDI channel from 1 to 16 for each part: 10 for drums, the other channels in turn."""
    free, channels = 0, []
    for part in parts:
        instrument = known_instrument(part.instrument)
        if instrument and instrument.is_drums:
            channels.append(10)
        else:
            channels.append(free % 15 + 1 + (free % 15 >= 9))
            free += 1
    return channels


def _clean(text: str) -> str:
    """Return text with unprintable characters replaced by spaces, escaped for XML."""
    return escape_text("".join(letter if letter.isprintable() else " " for letter in text).strip())
