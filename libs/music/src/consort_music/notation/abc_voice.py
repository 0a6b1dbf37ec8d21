"""One voice of an ABC tune while it is read: where it is, what holds for its next note, and its bars so far."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from consort_music.chords.transposition import transposed
from consort_music.errors import MusicError, quoted
from consort_music.intervals import transpose, usual_interval
from consort_music.metre import COMMON_TIME, Metre
from consort_music.notation.abc_fields import Signature
from consort_music.notation.assembly import ReadMeasure, ReadNote, ReadPart
from consort_music.notation.limits import MAX_BARS, refuse_uneven
from consort_music.pitch import Pitch
from consort_music.transposition import transposed_key

_ACCIDENTALS = {"^^": 2, "^": 1, "=": 0, "_": -1, "__": -2}
_IN_THE_TIME_OF = {2: 3, 3: 2, 4: 3, 6: 2, 8: 3}
_ANNOTATION = "^_<>@"


class VoiceReading:
    def __init__(self, name: str) -> None:
        self.name = name
        self.instrument: str | None = None
        self.unit = Fraction(1, 2)
        self.metre: Metre | None = COMMON_TIME
        self.propagate = "pitch"
        self.octaves = 0
        self.transposition: int | None = None
        """Semitones from what is written to what sounds, where the voice has its own."""
        self.measure = ReadMeasure()
        self.now = Fraction(0)
        self._measures: list[ReadMeasure] = []
        self._signature = Signature()
        self._in_bar: dict[tuple[str, int | None], int] = {}
        self._tied: dict[tuple[str, int, Fraction], list[Pitch]] = {}  # by step, octave and where the tied note goes on
        self._tuplet = (Fraction(1), 0)
        self._factor = Fraction(1)
        self._last: list[int] = []
        self._last_length = Fraction(0)

    def begin_like(self, other: "VoiceReading") -> None:
        """Take over what the header said for all voices."""
        self.unit, self.propagate = other.unit, other.propagate
        self.instrument = self.instrument or other.instrument
        self.set_metre(other.metre)
        if self._signature == Signature():
            self.set_signature(other._signature)

    def set_metre(self, metre: Metre | None) -> None:
        self.metre = metre
        if metre is not None:
            self.measure.metre = metre

    def set_signature(self, signature: Signature) -> None:
        self._signature = signature
        self._in_bar = {}
        if signature.key is not None:
            self.measure.keys.append((self.now, signature.key))

    @property
    def number(self) -> int:
        """Of the bar that is read, from 1."""
        return len(self._measures) + 1

    def part(self) -> ReadPart:
        return ReadPart(self.name, self._measures, self.instrument)

    # notes

    def pitch(self, accidental: str | None, letter: str, marks: str) -> Pitch:
        """The pitch of a note as it is written, with what its bar and the key say."""
        step = letter.upper()
        octave = 4 + letter.islower() + marks.count("'") - marks.count(",") + self._signature.octaves + self.octaves
        place = (step, octave if self.propagate == "octave" else None)
        if accidental is not None:
            alter = _ACCIDENTALS[accidental]
            if self.propagate != "not":
                self._in_bar[place] = alter
        elif tied := self._tied.get((step, octave, self.now)):
            return tied[0]
        else:
            alter = self._in_bar.get(place, self._signature.alters.get(step, 0))
        try:
            pitch = Pitch(step, alter, octave)
            pitch.midi  # noqa: B018 - raises where MIDI has no such note
        except MusicError:
            raise MusicError(
                "PARSE_ERROR",
                f"{quoted(letter + marks)} is outside the range of MIDI notes. C is middle C, c is an octave above.",
            ) from None
        return pitch

    def sound(self, notes: Sequence[tuple[Pitch, Fraction]], multiple: Fraction) -> None:
        """Notes together (or a rest, where there are none), each with its share of the multiple of the unit."""
        scale = self.unit * multiple * self._factor
        self._factor = Fraction(1)
        ratio, left = self._tuplet
        if left:
            scale *= ratio
            self._tuplet = (ratio, left - 1)
        length = scale * (notes[0][1] if notes else 1)
        self._last = []
        for pitch, share in notes:
            tied = self._tied.get((pitch.step, pitch.octave, self.now), [])
            comes_from = pitch in tied
            if comes_from:
                tied.remove(pitch)
            self._last.append(len(self.measure.notes))
            self.measure.notes.append(ReadNote(self.now, scale * share, pitch, comes_from=comes_from))
        self._last_length = length
        self._move(length)

    def tie(self, place: int | None = None) -> None:
        """The last notes, or the one at a place of the last chord, go on in the next."""
        for index in self._last if place is None else self._last[place : place + 1]:
            if index < len(self.measure.notes):
                note = self.measure.notes[index] = self.measure.notes[index]._replace(goes_on=True)
                place_of_next = (note.pitch.step, note.pitch.octave, note.start + note.duration)
                self._tied.setdefault(place_of_next, []).append(note.pitch)

    def break_rhythm(self, signs: str) -> None:
        """`>` lengthens the last note and shortens the next, `<` the other way round."""
        short = Fraction(1, 2 ** len(signs))
        mine, next_one = (2 - short, short) if signs[0] == ">" else (short, 2 - short)
        for index in self._last:
            note = self.measure.notes[index]
            self.measure.notes[index] = note._replace(duration=note.duration * mine)
        longer = self._last_length * (mine - 1)
        if self.measure.length == self.now:
            self.measure.length += longer
        self.now += longer
        self._last_length *= mine
        self._factor = next_one

    def begin_tuplet(self, notes: int, time_of: int, reach: int) -> None:
        usual = _IN_THE_TIME_OF.get(notes, 3 if self.metre and self.metre.is_compound else 2)
        self._tuplet = (Fraction(time_of or usual, notes), reach or notes)

    def mark(self, text: str) -> None:
        """A chord symbol; annotations begin with a sign that says where they stand."""
        symbol = " ".join(text.split())
        if symbol and symbol[0] not in _ANNOTATION:
            self.measure.chords.append((self.now, symbol[:60]))

    def hold(self) -> None:
        """A fermata, over the note that follows."""
        self.measure.fermatas.append((self.now, True))

    # bars

    def end_bar(self) -> None:
        self._in_bar = {}
        if self.measure.length:
            end, tied = self.measure.length, self._tied
            self._tied = {(step, octave, Fraction(0)): tied[step, octave, at] for step, octave, at in tied if at == end}
            self._measures.append(self._sounding(self.measure))
            if len(self._measures) > MAX_BARS:
                raise MusicError("TOO_LARGE", f"The ABC text has more than {MAX_BARS:,} bars. Send it in pieces.")
            self.measure = ReadMeasure()
        self.now = Fraction(0)
        self._last = []

    def _sounding(self, measure: ReadMeasure) -> ReadMeasure:
        semitones = self._signature.transposition if self.transposition is None else self.transposition
        if not semitones:
            return measure
        interval = usual_interval(semitones)
        try:
            return replace(
                measure,
                notes=[note._replace(pitch=transpose(note.pitch, interval)) for note in measure.notes],
                keys=[(at, transposed_key(key, interval)) for at, key in measure.keys],
                chords=[(at, transposed(symbol, interval)) for at, symbol in measure.chords],
            )
        except MusicError:
            raise MusicError(
                "PARSE_ERROR",
                f"transpose={semitones} moves notes outside the range of MIDI notes. Use fewer semitones, such as 12.",
            ) from None

    def rest_bars(self, count: int) -> None:
        for bar in range(count):
            if bar:
                self.end_bar()
            self._last = []
            self._move((self.metre or COMMON_TIME).bar)

    def overlay(self) -> None:
        """What follows sounds together with the bar so far."""
        self.now = Fraction(0)
        self._last = []

    def _move(self, by: Fraction) -> None:
        self.now += by
        refuse_uneven(self.now, len(self._measures) + 1)
        if self.now > self.measure.length:
            self.measure.length = self.now
