"""Write chords and rests as MusicXML note elements."""

from consort_music.intervals import Interval, transpose
from consort_music.notation.musicxml.direction_elements import clean_text
from consort_music.notation.writing.drum_staff import NORMAL, drum_place
from consort_music.notation.writing.notated_score import GraceNote, NotatedChord, StringFret
from consort_music.notation.writing.note_values import LONGEST, TYPES, NoteValue
from consort_music.notation.writing.written_bars import WrittenValue
from consort_music.pitch import Pitch
from consort_music.score import DEFAULT_VELOCITY, Lyric

_FORTE = 90  # the velocity that MusicXML defines as 100 percent


class NoteWriter:
    """Writes the notes of one staff. `moved` is the interval from the sounding to the written notes.

    With `divisions` (ticks per quarter note), a length without a note value is drawn as the nearest shorter value.
    """

    def __init__(
        self, part_number: int, *, is_drums: bool, is_tab: bool, moved: Interval, divisions: int | None = None
    ) -> None:
        self._part_number = part_number
        self._is_drums = is_drums
        self._is_tab = is_tab
        self._moved = moved if moved != Interval(0, 0) else None
        self._divisions = divisions
        self._pitches: dict[Pitch, str] = {}
        self._values: dict[NoteValue, tuple[str, str]] = {}

    def bar_rest(self, ticks: int, voice: str) -> str:
        return f'<note><rest measure="yes"/><duration>{ticks}</duration>{voice}</note>\n'

    def written(
        self, value: WrittenValue, voice: str, staff: str, shown: dict[tuple[int, int], str], held: str, stem: str = ""
    ) -> str:
        """Return the notes of a value. `shown` has the accidentals (see `accidentals`), `stem` is its element."""
        kind, tuplet = self._value(value.value)
        ticks = value.value.ticks
        chord = value.chord
        if chord is None:
            notations = f"<notations>{tuplet}</notations>" if tuplet else ""
            return f"<note><rest/><duration>{ticks}</duration>{voice}{kind}{staff}{notations}</note>\n"
        ties, tied = _ties(value)
        beam = "".join(f'<beam number="{level}">{word}</beam>' for level, word in value.beams)
        pieces = [] if self._is_tab else [self._grace(grace, voice, staff, shown) for grace in _graces(value)]
        once = tuplet + held + (_articulations(chord) if value.is_first and not self._is_tab else "")
        lyrics = "".join(map(_lyric, chord.lyrics)) if value.is_first and not self._is_tab else ""
        is_rolled = chord.is_arpeggio and value.is_first and len(chord.pitches) > 1 and not self._is_tab
        arpeggio = "<arpeggiate/>" if is_rolled else ""
        is_chord = ""
        for index, pitch in enumerate(chord.pitches):
            place = chord.places[index] if chord.places else None
            if self._is_tab and place is None:
                continue
            marks = tied + once + arpeggio + (_technical(place) if place and self._is_tab else "")
            notations = f"<notations>{marks}</notations>" if marks else ""
            velocity = chord.velocities[index] if chord.velocities else DEFAULT_VELOCITY
            loud = "" if velocity == DEFAULT_VELOCITY else f' dynamics="{velocity / _FORTE * 100:.2f}"'
            accidental = shown.get((id(chord), index), "") if value.is_first else ""
            xml = _insert_accidental(kind, accidental) if accidental else kind
            head = self._head(pitch)
            pieces.append(
                f"<note{loud}>{is_chord}{self._pitch(pitch)}<duration>{ticks}</duration>{ties}{self._drum(pitch)}"
                f"{voice}{xml}{stem}{head}{staff}{beam}{notations}{lyrics}</note>\n"
            )
            is_chord, once, beam, lyrics = "<chord/>", "", "", ""
        if not is_chord:  # no note of the chord has a place on a string
            return f"<note><rest/><duration>{ticks}</duration>{voice}{kind}{staff}</note>\n"
        return "".join(pieces)

    def _grace(self, grace: GraceNote, voice: str, staff: str, shown: dict[tuple[int, int], str]) -> str:
        slash = ' slash="yes"' if grace.is_slashed else ""
        return "".join(
            f"<note><grace{slash}/>{'<chord/>' if index else ''}{self._pitch(pitch)}{self._drum(pitch)}{voice}"
            f"<type>eighth</type>{shown.get((id(grace), index), '')}{self._head(pitch)}{staff}</note>\n"
            for index, pitch in enumerate(grace.pitches)
        )

    def _pitch(self, pitch: Pitch) -> str:
        known = self._pitches.get(pitch)
        if known is None:
            known = self._pitches[pitch] = self._pitch_xml(pitch)
        return known

    def _pitch_xml(self, pitch: Pitch) -> str:
        if self._is_drums:
            place = drum_place(pitch.midi)
            return (
                f"<unpitched><display-step>{place.step}</display-step>"
                f"<display-octave>{place.octave}</display-octave></unpitched>"
            )
        written = transpose(pitch, self._moved) if self._moved else pitch
        alter = f"<alter>{written.alter}</alter>" if written.alter else ""
        return f"<pitch><step>{written.step}</step>{alter}<octave>{written.octave}</octave></pitch>"

    def _drum(self, pitch: Pitch) -> str:
        return f'<instrument id="P{self._part_number}-I{pitch.midi + 1}"/>' if self._is_drums else ""

    def _head(self, pitch: Pitch) -> str:
        if not self._is_drums or (head := drum_place(pitch.midi).head) == NORMAL:
            return ""
        return f"<notehead>{head}</notehead>"

    def _value(self, value: NoteValue) -> tuple[str, str]:
        known = self._values.get(value)
        if known is None:
            drawn = value if value.kind or not self._divisions else _drawn(value, self._divisions)
            known = self._values[value] = _value_xml(drawn)
        return known


def _graces(value: WrittenValue) -> tuple[GraceNote, ...]:
    return value.chord.grace_notes if value.chord and value.is_first else ()


def _ties(value: WrittenValue) -> tuple[str, str]:
    ties = tied = ""
    if not value.is_first:
        ties, tied = '<tie type="stop"/>', '<tied type="stop"/>'
    if value.is_tied:
        ties, tied = f'{ties}<tie type="start"/>', f'{tied}<tied type="start"/>'
    return ties, tied


def _articulations(chord: NotatedChord) -> str:
    marks = "".join(f"<{name}/>" for name in chord.articulations)
    return f"<articulations>{marks}</articulations>" if marks else ""


def _technical(place: StringFret) -> str:
    return f"<technical><string>{place.string}</string><fret>{place.fret}</fret></technical>"


def _lyric(lyric: Lyric) -> str:
    return (
        f'<lyric number="{lyric.verse}"><syllabic>{lyric.syllabic}</syllabic>'
        f"<text>{clean_text(lyric.text)}</text></lyric>"
    )


def _drawn(value: NoteValue, divisions: int) -> NoteValue:
    """Return a value with the kind of the longest one that is not longer."""
    kinds = (kind for place, kind in enumerate(TYPES) if LONGEST * divisions <= value.ticks * 2**place)
    return value._replace(kind=next(kinds, TYPES[-1]))


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
