"""The state of one ABC voice while it is read: its position, the settings for its next note, and its bars so far."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from consort_music.chords.transposition import transpose_symbol
from consort_music.errors import MusicError, quoted
from consort_music.intervals import transpose, usual_interval
from consort_music.metre import COMMON_TIME, Metre
from consort_music.notation.abc.fields import ACCIDENTALS, Signature
from consort_music.notation.limits import MAX_BARS, MAX_VERSES, check_common_divisor
from consort_music.notation.score_builder import ReadMeasure, ReadNote, ReadPart
from consort_music.notation.writing.lyrics import align_syllables
from consort_music.pitch import Pitch
from consort_music.texts.visible_text import visible_line
from consort_music.transposition import transpose_key

_IN_THE_TIME_OF = {2: 3, 3: 2, 4: 3, 6: 2, 8: 3}
_ANNOTATION = "^_<>@"
_MAX_BROKEN = 3
"""Signs of broken rhythm between two notes. Each one doubles the denominator of their lengths."""


class AbcVoice:
    def __init__(self, name: str) -> None:
        self.name = name
        self.instrument: str | None = None
        self.unit = Fraction(1, 2)
        self.metre: Metre | None = COMMON_TIME
        self.propagate = "pitch"
        self.octaves = 0
        self.transposition: int | None = None
        """Semitones from written to sounding pitch, or None if the voice states no transposition."""
        self.measure = ReadMeasure()
        self.now = Fraction(0)
        self._measures: list[ReadMeasure] = []
        self._signature = Signature()
        self._in_bar: dict[tuple[str, int | None], int] = {}
        # Pitches with an open tie, by step, octave, and the position where the next note of the tie starts.
        self._tied: dict[tuple[str, int, Fraction], list[Pitch]] = {}
        self._tuplet = (Fraction(1), 0)
        self._factor = Fraction(1)
        self._broken = 0
        """Signs of broken rhythm since the last note."""
        self._last: list[int] = []
        self._last_length = Fraction(0)
        self._sung: list[tuple[ReadMeasure, Fraction, int]] = []
        """The notes of the current line: measure, start in it, and number of the bar."""
        self._verses = 0
        self._in_overlay = False

    def begin_line(self) -> None:
        """Begin a line of music. The lyrics that follow it are for its notes."""
        self._sung, self._verses = [], 0

    def sing(self, text: str) -> None:
        """Put a verse under the notes of the last line of music. Syllables without a note are left out."""
        self._verses += 1
        if self._verses > MAX_VERSES:
            return
        syllables, _ = align_syllables(text, [bar for _, _, bar in self._sung], self._verses)
        for index, lyric in syllables:
            measure, start, _ = self._sung[index]
            measure.lyrics.append((start, lyric))

    def begin_like(self, other: "AbcVoice") -> None:
        """Copy the settings of the header, which are for all voices, from another voice."""
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
        """The number of the current bar, from 1."""
        return len(self._measures) + 1

    def part(self) -> ReadPart:
        return ReadPart(self.name, self._measures, self.instrument)

    def pitch(self, accidental: str | None, letter: str, marks: str) -> Pitch:
        """Return the pitch of a written note. Accidentals of its bar and of the key apply."""
        step = letter.upper()
        octave = 4 + letter.islower() + marks.count("'") - marks.count(",") + self._signature.octaves + self.octaves
        place = (step, octave if self.propagate == "octave" else None)
        if accidental is not None:
            alter = ACCIDENTALS[accidental]
            if self.propagate != "not":
                self._in_bar[place] = alter
        elif tied := self._tied.get((step, octave, self.now)):
            return tied[0]
        else:
            alter = self._in_bar.get(place, self._signature.alters.get(step, 0))
        try:
            pitch = Pitch(step, alter, octave)
            pitch.midi  # noqa: B018 - raises INVALID_PITCH if MIDI has no such note
        except MusicError:
            raise MusicError(
                "PARSE_ERROR",
                f"{quoted(letter + marks)} is outside the range of MIDI notes. C is middle C, c is an octave above.",
            ) from None
        return pitch

    def sound(self, notes: Sequence[tuple[Pitch, Fraction]], multiple: Fraction) -> None:
        """Add notes that start together, or a rest if there are none.

        `notes` are pairs of a pitch and a factor. A note lasts `multiple` units of length times its factor.
        """
        scale = self.unit * multiple * self._factor
        self._factor = Fraction(1)
        self._broken = 0
        ratio, left = self._tuplet
        if left:
            scale *= ratio
            self._tuplet = (ratio, left - 1)
        length = scale * (notes[0][1] if notes else 1)
        if notes and not self._in_overlay:
            self._sung.append((self.measure, self.now, self.number))
        self._last = []
        for pitch, share in notes:
            tied = self._tied.get((pitch.step, pitch.octave, self.now), [])
            is_tied = pitch in tied
            if is_tied:
                tied.remove(pitch)
            self._last.append(len(self.measure.notes))
            self.measure.notes.append(ReadNote(self.now, scale * share, pitch, tied_to_previous=is_tied))
        self._last_length = length
        self._move(length)

    def tie(self, place: int | None = None) -> None:
        """Tie the notes of the last chord to the next ones: all, or the one at index `place` of the chord."""
        for index in self._last if place is None else self._last[place : place + 1]:
            if index < len(self.measure.notes):
                note = self.measure.notes[index] = self.measure.notes[index]._replace(tied_to_next=True)
                place_of_next = (note.pitch.step, note.pitch.octave, note.start + note.duration)
                self._tied.setdefault(place_of_next, []).append(note.pitch)

    def break_rhythm(self, signs: str) -> None:
        """Apply broken rhythm: `>` lengthens the last note and shortens the next one, `<` does the opposite.

        Raise PARSE_ERROR if there are more than three signs between two notes.
        """
        self._broken += len(signs)
        if self._broken > _MAX_BROKEN:
            raise MusicError(
                "PARSE_ERROR",
                f"There are more than {_MAX_BROKEN} signs of broken rhythm between two notes. Write C>D or C>>D.",
            )
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
        """Add a chord symbol. Text that starts with a position sign (one of `^_<>@`) is an annotation and ignored."""
        symbol = visible_line(text)
        if symbol and symbol[0] not in _ANNOTATION:
            self.measure.chords.append((self.now, symbol[:60]))

    def add_fermata(self) -> None:
        """Add a fermata over the next note."""
        self.measure.fermatas.append((self.now, True))

    def end_bar(self) -> None:
        self._in_bar = {}
        self._in_overlay = False
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
                keys=[(at, transpose_key(key, interval)) for at, key in measure.keys],
                chords=[(at, transpose_symbol(symbol, interval)) for at, symbol in measure.chords],
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
        """Go back to the start of the bar. The music that follows sounds together with the bar so far."""
        self.now = Fraction(0)
        self._last = []
        self._in_overlay = True

    def _move(self, by: Fraction) -> None:
        self.now += by
        check_common_divisor(self.now, len(self._measures) + 1)
        if self.now > self.measure.length:
            self.measure.length = self.now
