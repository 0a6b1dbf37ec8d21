"""Read MusicXML (partwise or timewise, plain or compressed) into a score.

- Pitches and keys are sounding ones: parts of transposing instruments are transposed.
- Repeats and endings are not expanded: each measure comes once, in written order. There is a warning.
- Grace notes, cue notes, unpitched notes without a MIDI number and ties between different pitches are left out, and
  microtones are rounded. Warnings name the measures.
- A part on several staves becomes one part for each staff. Tablature below a staff, which has the same notes, is left
  out.
- If the divisions per quarter note are too few for exact durations (as 2 are for triplets), lengths are taken from the
  written note values.
- A key without a mode is major, as in the MusicXML standard.
- Measures keep the numbers that are printed (`printed_measures.py`).
"""

from consort_music.chords.symbol import join_symbol
from consort_music.chords.transposition import transpose_name
from consort_music.errors import MusicError
from consort_music.instruments import DRUMS, INSTRUMENTS
from consort_music.notation.limits import MAX_NOTES, MAX_PARTS
from consort_music.notation.musicxml.chord_kinds import chord_suffix
from consort_music.notation.musicxml.mxl import is_mxl, unpack_mxl
from consort_music.notation.musicxml.part_reading import PartReading, length_of
from consort_music.notation.musicxml.values import (
    NUMBER,
    OutOfRange,
    divisions_of,
    duration_in,
    is_microtone,
    key_of,
    lyrics_of,
    metre_of,
    metronome_of,
    number_in,
    sounding_pitch,
    tempo_of,
    tone_of,
    transposition_of,
)
from consort_music.notation.musicxml.xml_elements import Element, ElementReader
from consort_music.notation.omissions import Omissions
from consort_music.notation.score_builder import ReadNote, build_score
from consort_music.pitch import Pitch
from consort_music.printed_measures import MeasureName
from consort_music.score import DEFAULT_VELOCITY, Score
from consort_music.texts.visible_text import visible_line, visible_text

_MEASURE_PARTS = ("note", "attributes", "backup", "forward", "direction", "harmony", "sound", "barline")
_WANTED = (*_MEASURE_PARTS, "score-part", "work", "movement-title")
_SKIPPED = (
    "beam", "stem", "notehead", "print", "defaults", "credit", "identification", "play", "listen",
    "figured-bass", "articulations", "ornaments", "technical", "slur", "staff-details", "measure-style", "frame",
)  # fmt: skip
_FORTE = 90
_MIDI_NOTES = 128
_LONGEST_SUFFIX = 50


def read_musicxml(document: str | bytes) -> tuple[Score, list[str]]:
    """Return the score of a MusicXML document or .mxl archive, and warnings.

    Raise PARSE_ERROR if it cannot be read, TOO_LARGE if it exceeds a limit, and EMPTY_INPUT if it has no notes.
    """
    if isinstance(document, bytes) and is_mxl(document):
        document = unpack_mxl(document)
    reading = _MusicXmlReader()
    reader = ElementReader(_WANTED, _SKIPPED, reading.open, reading.close, reading.whole)
    reader.read(document.lstrip("\ufeff \t\r\n") if isinstance(document, str) else document)
    return reading.score()


class _MusicXmlReader:
    def __init__(self) -> None:
        self._parts: dict[str, PartReading] = {}
        self._part: PartReading | None = None
        self._names: dict[str, tuple[str, str | None]] = {}
        self._drums: dict[str, Pitch] = {}
        self._title: str | None = None
        self._omissions = Omissions()
        self._has_repeats = False
        self._notes = 0
        self._root: str | None = None
        self._measure_names: dict[int, MeasureName] = {}
        self._timewise_name = MeasureName("", False)
        self._take = {
            "note": self._note,
            "attributes": self._attributes,
            "backup": self._backup,
            "forward": self._forward,
            "direction": self._direction,
            "harmony": self._harmony,
            "sound": self._sound,
            "barline": self._barline,
        }

    def open(self, element: Element) -> None:
        tag = element.tag
        if self._root is None:
            if tag not in ("score-partwise", "score-timewise"):
                raise MusicError(
                    "PARSE_ERROR",
                    f"The XML is not MusicXML: it begins with <{tag[:40]}>, and must begin with <score-partwise> or "
                    "<score-timewise>. Send the whole document.",
                )
            self._root = tag
        elif tag == "part":
            identity = element.attributes.get("id", "")
            if identity not in self._parts:
                if len(self._parts) >= MAX_PARTS:
                    raise MusicError("TOO_LARGE", f"The MusicXML has more than {MAX_PARTS} parts. Send fewer at once.")
                name, instrument = self._names.get(identity, ("", None))
                self._parts[identity] = PartReading(name or f"part {len(self._parts) + 1}", instrument)
            self._part = self._parts[identity]
            if self._root == "score-timewise":
                self._begin_measure(self._part, self._timewise_name)
        elif tag == "measure":
            measure = MeasureName(
                element.attributes.get("number", "").strip(), element.attributes.get("implicit") == "yes"
            )
            if self._root == "score-partwise" and self._part:
                self._begin_measure(self._part, measure)
            self._timewise_name = measure

    def _begin_measure(self, part: PartReading, name: MeasureName) -> None:
        part.begin_measure()
        self._measure_names.setdefault(part.measures, name)

    def close(self, tag: str) -> None:
        if tag == "part" and self._part is not None:
            self._part.end_measure()
            self._part = None

    def whole(self, element: Element) -> None:
        take = self._take.get(element.tag)
        if take is not None:
            if self._part is not None and self._part.measures:
                try:
                    take(element, self._part)
                except MusicError as error:
                    number = self._measure_names[self._part.measures].text[:20] or self._part.measures
                    error.message = f"MusicXML, {self._part.name}, measure {number}: {error.message}"
                    raise
        elif element.tag == "score-part":
            self._score_part(element)
        elif element.tag == "movement-title":
            self._title = self._title or visible_text(element.text.strip()) or None
        elif title := element.text_of("work-title"):
            self._title = visible_text(title)

    def score(self) -> tuple[Score, list[str]]:
        parts = [part for reading in self._parts.values() for part in reading.parts()]
        names = [self._measure_names[place] for place in sorted(self._measure_names)]
        score = build_score(parts, self._title, self._omissions, names)
        if not score.note_count:
            raise MusicError(
                "EMPTY_INPUT", "The MusicXML has no notes. Send a score with at least one <note> that has a <pitch>."
            )
        printed = [measure.number for measure in score.printed_measures]
        warnings = self._omissions.sentences(has_pickup=score.pickup > 0, printed=printed)
        if self._has_repeats:
            warnings.append("Repeats and endings were not played out: each measure comes once.")
        return score, warnings

    def _score_part(self, element: Element) -> None:
        name = visible_line(element.text_of("part-name") or "")[:200]
        program = element.text_of("midi-instrument", "midi-program")
        channel = element.text_of("midi-instrument", "midi-channel")
        instrument = None
        if channel == "10":
            instrument = DRUMS.name
        elif program and program.isdecimal() and 1 <= int(program[:4]) <= len(INSTRUMENTS):
            instrument = INSTRUMENTS[int(program) - 1].name
        self._names[element.attributes.get("id", "")] = (name, instrument)
        for sound in element.all("midi-instrument"):
            number = sound.text_of("midi-unpitched") or ""
            if number.isdecimal() and 1 <= int(number[:4]) <= _MIDI_NOTES:
                self._drums[sound.attributes.get("id", "")] = Pitch.from_midi(int(number) - 1)

    def _note(self, element: Element, part: PartReading) -> None:
        found: dict[str, Element] = {}
        tied_to_next = tied_to_previous = False
        for child in element.children:
            if child.tag == "tie":
                kind = child.attributes.get("type")
                tied_to_next, tied_to_previous = tied_to_next or kind == "start", tied_to_previous or kind == "stop"
            else:
                found.setdefault(child.tag, child)
        if "grace" in found:
            self._omissions.add("grace note{s} {were} left out", part.measures)
            return
        length = length_of(element, found, part)
        if "chord" not in found:
            part.advance(length, "pitch" in found or "unpitched" in found)
        drum = self._drums.get(found["instrument"].attributes.get("id", "")) if "instrument" in found else None
        if "pitch" not in found and not ("unpitched" in found and drum):
            if "unpitched" in found:
                self._omissions.add("note{s} without pitch (percussion) {were} left out", part.measures)
            return
        if "cue" in found:
            self._omissions.add("cue note{s} {were} left out", part.measures)
            return
        pitch = self._pitch(found["pitch"], part) if "pitch" in found else drum
        if pitch is None or not length.quarters:
            return
        self._notes += 1
        if self._notes > MAX_NOTES:
            raise MusicError("TOO_LARGE", f"The MusicXML has more than {MAX_NOTES:,} notes. Send it in pieces.")
        loud = element.attributes.get("dynamics")
        velocity = DEFAULT_VELOCITY
        if loud is not None and NUMBER.fullmatch(loud):
            velocity = min(max(round(float(loud) * _FORTE / 100), 1), 127)
        staff = int(found["staff"].text) if "staff" in found and found["staff"].text.strip() in "12345678" else 1
        if "notations" in found and found["notations"].find("fermata"):
            part.measure.fermatas.append((part.onset, True))
        measure = part.staff(staff)
        measure.notes.append(ReadNote(part.onset, length.quarters, pitch, velocity, tied_to_next, tied_to_previous))
        if "lyric" in found:
            measure.lyrics += [(part.onset, lyric) for lyric in lyrics_of(element)]

    def _pitch(self, element: Element, part: PartReading) -> Pitch | None:
        key = tuple(child.text for child in element.children)
        pitch = part.pitches.get(key)
        if pitch is None:
            try:
                pitch = sounding_pitch(element, part.interval)
                if is_microtone(element):
                    self._omissions.add("microtone{s} {were} rounded towards the natural", part.measures)
                else:
                    part.pitches[key] = pitch
            except OutOfRange:
                self._omissions.add("note{s} outside the range of MIDI notes {were} left out", part.measures)
        return pitch

    def _backup(self, element: Element, part: PartReading) -> None:
        part.move(-duration_in(element.text_of("duration") or "0"))

    def _forward(self, element: Element, part: PartReading) -> None:
        part.move(duration_in(element.text_of("duration") or "0"))

    def _attributes(self, element: Element, part: PartReading) -> None:
        for child in element.children:
            if child.tag == "divisions":
                part.set_divisions(divisions_of(child))
            elif child.tag == "clef" and child.text_of("sign") == "TAB" and child.attributes.get("number", "1") != "1":
                part.tab_staves.add(
                    int(child.attributes["number"][:1]) if child.attributes["number"].isdecimal() else 0
                )
            elif child.tag == "transpose":
                part.interval, part.pitches = transposition_of(child), {}
            elif child.tag == "time" and part.measure.metre is None:
                part.measure.metre = metre_of(child)
                part.metre = part.measure.metre or part.metre
                if part.measure.metre is None and child.children:
                    self._omissions.add("time signature{s} that could not be read {were} left out", part.measures)
        for child in element.all("key"):
            key = key_of(child, part.interval)
            if key is None:
                self._omissions.add("key signature{s} that could not be read {were} left out", part.measures)
            else:
                part.measure.keys.append((part.now, key))

    def _direction(self, element: Element, part: PartReading) -> None:
        sound = element.find("sound")
        tempo = sound.attributes.get("tempo") if sound else None
        bpm = tempo_of(tempo) if tempo else None
        for kind in element.all("direction-type"):
            metronome = kind.find("metronome")
            if bpm is None and metronome is not None:
                bpm = metronome_of(metronome)
        if bpm is not None:
            part.measure.tempos.append((part.moment(element), bpm))

    def _sound(self, element: Element, part: PartReading) -> None:
        bpm = tempo_of(element.attributes.get("tempo", ""))
        if bpm is not None:
            part.measure.tempos.append((part.moment(element), bpm))

    def _harmony(self, element: Element, part: PartReading) -> None:
        kind = element.find("kind")
        root = tone_of(element, "root")
        if kind is None:
            return
        name = kind.text.strip()
        if name == "none":
            part.measure.chords.append((part.moment(element), kind.attributes.get("text") or "N.C."))
            return
        if root is None:
            self._omissions.add("chord symbol{s} without a root {were} left out", part.measures)
            return
        degrees = [
            (int(number), int(number_in(degree.text_of("degree-alter") or "0", "degree-alter")), how)
            for degree in element.all("degree")
            if (number := degree.text_of("degree-value") or "").isdecimal() and len(number) < 3
            for how in [degree.text_of("degree-type") or "add"]
            if degree.attributes.get("print-object") != "no"  # "no" means that the text of the kind has this degree
        ]
        bass = tone_of(element, "bass")
        suffix = chord_suffix(name, kind.attributes.get("text"), degrees)[:_LONGEST_SUFFIX]
        sounding_bass = transpose_name(bass, part.interval) if bass else None
        symbol = join_symbol(transpose_name(root, part.interval), suffix, sounding_bass)
        part.measure.chords.append((part.moment(element), symbol))

    def _barline(self, element: Element, part: PartReading) -> None:
        if element.find("repeat") or element.find("ending"):
            self._has_repeats = True
