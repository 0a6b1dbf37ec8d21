"""A score as it is to be engraved: parts with staves and voices, and everything that stands beside the notes.

A `Score` says what sounds; a `NotatedScore` also says how it is written: staff, voice, articulation, grace notes,
lyrics, fingering. `performance_to_score` makes one from a performance, `notated_from_score` from a `Score`.

Times are quarter notes from the beginning, as Fractions. A chord has its full length: the writer splits it into tied
notes. Rests are where a voice has no chord. The first bar may be short (a pickup); it is measure 0.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from consort_music.bars import Bar, BarPosition, Bars
from consort_music.chords.timed_chords import ChordMark
from consort_music.instruments import known_instrument
from consort_music.keys import Key
from consort_music.metre import COMMON_TIME, Metre
from consort_music.notation.writing.divisions import with_divisions
from consort_music.notation.writing.voice_separation import VoiceChord, separate_voices
from consort_music.pitch import Pitch
from consort_music.printed_measures import PrintedMeasure, number_of_bar, printed_position
from consort_music.score import DEFAULT_VELOCITY, Lyric, Note, Part, Score, TimedLyrics

STACCATO, ACCENT = "staccato", "accent"
"""Articulation marks, named as in MusicXML. Other names of MusicXML's `articulations` may be used too."""


@dataclass(frozen=True)
class StringFret:
    """A place on a fretted instrument: strings are numbered from 1, the highest."""

    string: int
    fret: int


@dataclass(frozen=True)
class GraceNote:
    """A short note before a chord. It takes no time in the bar."""

    pitches: tuple[Pitch, ...]
    is_slashed: bool = True


@dataclass(frozen=True)
class NotatedChord:
    """Notes of one voice that start and end together; `pitches` from low to high."""

    start: Fraction
    duration: Fraction
    pitches: tuple[Pitch, ...]
    velocities: tuple[int, ...] = ()
    """The velocity of each pitch; empty: the default."""
    articulations: tuple[str, ...] = ()
    grace_notes: tuple[GraceNote, ...] = ()
    is_arpeggio: bool = False
    lyrics: tuple[Lyric, ...] = ()
    places: tuple[StringFret | None, ...] = ()
    """The string and fret of each pitch, if known; empty: none."""

    @property
    def end(self) -> Fraction:
        return self.start + self.duration

    @property
    def velocity(self) -> int:
        """The velocity of the loudest note."""
        return max(self.velocities, default=DEFAULT_VELOCITY)


NotatedVoice = tuple[NotatedChord, ...]
"""Chords that follow each other without overlaps, sorted by start."""


@dataclass(frozen=True)
class NotatedStaff:
    voices: tuple[NotatedVoice, ...]
    clef: str | None = None
    """treble, bass, alto, tenor, treble8, bass8 or percussion; None: chosen by instrument and range."""
    strings: tuple[int, ...] = ()
    """For tablature: the MIDI pitches of the open strings, from string 1 on. The chords then have `places`."""


@dataclass(frozen=True)
class NotatedPart:
    name: str
    staves: tuple[NotatedStaff, ...]
    short_name: str = ""
    instrument: str | None = None
    """A General MIDI name, if known."""
    is_drums: bool = False
    capo: int = 0
    """For tablature: the fret of the capo, from which frets are counted."""
    is_concert: bool = False
    """Whether a transposing instrument is written as it sounds."""

    @property
    def chords(self) -> list[NotatedChord]:
        """All chords of all staves and voices, sorted by start."""
        found = [chord for staff in self.staves for voice in staff.voices for chord in voice]
        return sorted(found, key=lambda chord: chord.start)


@dataclass(frozen=True)
class BarAlternative:
    """Another way to write a bar whose reading is not certain."""

    bar: int
    description: str
    """Such as `beat 2: triplet eighths instead of an eighth and two 16ths`."""


@dataclass(frozen=True)
class NotatedScore:
    parts: tuple[NotatedPart, ...]
    metres: tuple[tuple[Fraction, Metre], ...] = ((Fraction(0), COMMON_TIME),)
    keys: tuple[tuple[Fraction, Key], ...] = ()
    tempos: tuple[tuple[Fraction, Fraction], ...] = ()
    """Pairs of a start and quarter notes per minute, sorted by start."""
    tempo_words: tuple[tuple[Fraction, str], ...] = ()
    """Words such as `Swing` and where they stand."""
    note_words: tuple[tuple[Fraction, str], ...] = ()
    """Words above notes, such as the name of a note that has no place on the strings."""
    pickup: Fraction = Fraction(0)
    """The length of the short first bar; 0 if there is none."""
    chords: tuple[ChordMark, ...] = ()
    fermatas: tuple[Fraction, ...] = ()
    """Times of the fermatas, sorted. At each of them a chord starts or a tied one is written."""
    rehearsal_marks: tuple[tuple[Fraction, str], ...] = ()
    title: str | None = None
    composer: str | None = None
    rest_to: Fraction = Fraction(0)
    """The score lasts at least this long, with rests after the last note."""
    bar_confidences: tuple[tuple[int, float], ...] = ()
    """Pairs of a bar number and how certain its reading is, from 0 to 1; empty for a score that was not guessed."""
    bar_alternatives: tuple[BarAlternative, ...] = ()
    is_spelled: bool = True
    """False if the note names were guessed."""
    bars_before: int = 0
    """How many bars of the piece come before the first one here: written bar numbers are higher by this."""
    hides_idle_rests: bool = False
    """Whether the rests before the first and after the last note of a bar are left out in all but the first voice."""
    printed_measures: tuple[PrintedMeasure, ...] = ()
    """All measures as the source numbers them; empty if they are numbered as in `bars`."""
    ends_piece: bool = True
    """False if the piece goes on after the last bar, which then has no final bar line."""
    warnings: tuple[str, ...] = field(default=(), compare=False)

    @cached_property
    def length(self) -> Fraction:
        ends = (voice[-1].end for part in self.parts for staff in part.staves for voice in staff.voices if voice)
        return max([self.rest_to, *ends])

    @cached_property
    def bar_lines(self) -> Bars:
        return Bars(self.metres, pickup=self.pickup)

    @cached_property
    def bars(self) -> tuple[Bar, ...]:
        """All bars up to the end of the music. The last bar is a full one."""
        return tuple(self.bar_lines.until(self.length))

    def written_number(self, bar: Bar) -> tuple[int, bool]:
        """Return the number to write for a bar, and whether it is implicit (a pickup, the rest of a split bar)."""
        return number_of_bar(self.printed_measures, bar, self.bars_before)

    def position_at(self, moment: Fraction) -> BarPosition:
        """Return the measure and beat at a moment, as written."""
        position = printed_position(self.printed_measures, self.bar_lines, moment)
        return position if self.printed_measures else position._replace(measure=position.measure + self.bars_before)

    def to_score(self) -> Score:
        """Return what sounds and is sung, without grace notes and articulation."""
        return Score(
            parts=tuple(Part.of(part.name, _sounding(part), part.instrument, _sung(part)) for part in self.parts),
            metres=self.metres,
            keys=self.keys,
            tempos=self.tempos,
            chords=self.chords,
            pickup=self.pickup,
            title=self.title,
            rest_to=self.rest_to,
            fermatas=self.fermatas,
            is_spelled=self.is_spelled,
            printed_measures=self.printed_measures,
        )


def _sounding(part: NotatedPart) -> Iterable[Note]:
    for chord in part.chords:
        velocities = chord.velocities or (DEFAULT_VELOCITY,) * len(chord.pitches)
        for pitch, velocity in zip(chord.pitches, velocities, strict=True):
            yield Note(chord.start, chord.duration, pitch, velocity)


def _sung(part: NotatedPart) -> TimedLyrics:
    return tuple((chord.start, lyric) for chord in part.chords for lyric in chord.lyrics)


def notated_from_score(score: Score, composer: str | None = None) -> NotatedScore:
    """Return the notated form of a score: one staff a part, and as few voices as its notes allow."""
    exact, divisions = with_divisions(score)
    return NotatedScore(
        parts=tuple(_notated_part(part, divisions) for part in exact.parts),
        metres=score.metres,
        keys=score.keys,
        tempos=score.tempos,
        pickup=score.pickup,
        chords=score.chords,
        fermatas=score.fermatas,
        title=score.title,
        composer=composer,
        rest_to=score.rest_to,
        is_spelled=score.is_spelled,
        printed_measures=score.printed_measures,
    )


def _notated_part(part: Part, divisions: int) -> NotatedPart:
    instrument = known_instrument(part.instrument)
    is_drums = instrument is not None and instrument.is_drums
    lyrics: dict[Fraction, list[Lyric]] = {}
    for at, lyric in part.lyrics:
        lyrics.setdefault(at, []).append(lyric)
    voices = tuple(
        tuple(_notated_chord(chord, divisions, lyrics) for chord in voice)
        for voice in separate_voices(part.notes, divisions)
    )
    staff = NotatedStaff(voices, "percussion" if is_drums else None)
    return NotatedPart(part.name, (staff,), "", part.instrument, is_drums)


def _notated_chord(chord: VoiceChord, divisions: int, lyrics: dict[Fraction, list[Lyric]]) -> NotatedChord:
    """Return a chord with the syllables of its start, which are removed: the next voice does not sing them again."""
    start = Fraction(chord.start, divisions)
    return NotatedChord(
        start,
        Fraction(chord.end - chord.start, divisions),
        tuple(note.pitch for note in chord.notes),
        tuple(note.velocity for note in chord.notes),
        lyrics=tuple(lyrics.pop(start, ())),
    )
