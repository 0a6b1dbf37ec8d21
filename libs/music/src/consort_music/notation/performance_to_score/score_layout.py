"""Write a performance whose rhythm has been read as a notated score: staves, note values, voices, keys and marks."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from consort_music.bars import Bar, Bars
from consort_music.instruments import Instrument
from consort_music.key_finding.pitch_classes import contradicts, pitch_class_weights
from consort_music.keys import Key
from consort_music.notation.performance_to_score.bars.certainty import bar_alternatives, bar_confidences
from consort_music.notation.performance_to_score.bars.metre_reading import MetreReading
from consort_music.notation.performance_to_score.beats.beat_map import BeatMap
from consort_music.notation.performance_to_score.key_reading import find_keys, spell_notes
from consort_music.notation.performance_to_score.notes.hands import left_hand
from consort_music.notation.performance_to_score.notes.note_lengths import StaffNote, note_lengths, staff_note
from consort_music.notation.performance_to_score.notes.onset_grid import GridReading
from consort_music.notation.performance_to_score.notes.ornaments import OrnamentedMoments
from consort_music.notation.performance_to_score.notes.played_notes import Moment, PerformedNote
from consort_music.notation.performance_to_score.notes.voices import PlacedChord, QuantizedNote, separate
from consort_music.notation.performance_to_score.options import ReadingOptions
from consort_music.notation.writing.notated_score import (
    ACCENT,
    STACCATO,
    GraceNote,
    NotatedChord,
    NotatedPart,
    NotatedScore,
    NotatedStaff,
)
from consort_music.pitch import Pitch

_DEFAULT_KEY = Key("C", 0, "major")
_KEYBOARDS = ("Piano", "Organ", "Chromatic Percussion")
_HARP = "Orchestral Harp"
_ONE_STAFF_FROM, _ONE_STAFF_TO = 52, 69
"""A keyboard part whose notes are all above the first, or all below the second, needs only one staff."""
_STACCATO = 0.4
_LONGEST_STACCATO = Fraction(1)
_FEWEST_STACCATO = 3
"""Fewer short notes one after another are a habit of playing, which nobody writes down."""
_ACCENT = 24
_NEIGHBOURS = 12


class PerformedPart(NamedTuple):
    name: str
    instrument: Instrument


class NotePlace(NamedTuple):
    """Where a note is written: its place in beats, and its start and length in quarters."""

    beat: Fraction
    start: Fraction
    length: Fraction


class ReadRhythm(NamedTuple):
    notes: Sequence[PerformedNote]
    ornamented: OrnamentedMoments
    beats: BeatMap
    grid: GridReading
    metre: MetreReading


class StatedByFile(NamedTuple):
    """What the file itself says."""

    title: str | None
    tempos: tuple[tuple[Fraction, Fraction], ...]
    keys: tuple[tuple[Fraction, Key], ...]
    lengths: dict[int, Fraction]
    """Exact lengths of notes, if the file was not performed."""


def lay_out_score(
    parts: Sequence[PerformedPart], read: ReadRhythm, options: ReadingOptions, stated: StatedByFile
) -> tuple[NotatedScore, list[NotePlace | None]]:
    """Return the score, and where each note is written; None for grace notes.

    A note with the start and pitch of another of its part shares that one's note head.
    """
    beat_places: dict[int, Fraction] = {}
    starts: dict[int, Fraction] = {}
    for moment, place in zip(read.ornamented.moments, read.grid.places, strict=True):
        start = max(read.metre.score_time(place), Fraction(0))
        for index in moment.notes:
            beat_places[index], starts[index] = place, start
    staves = [_staves(part, number, read, starts, options) for number, part in enumerate(parts)]
    lengths = stated.lengths or _lengths(staves, read, starts, parts)
    voices = [
        [
            separate(
                [QuantizedNote(starts[index], lengths[index], read.notes[index].pitch, index) for index in staff],
                max(1, options.voices_per_staff),
            )
            for staff in part
        ]
        for part in staves
    ]
    chords = [chord for part in voices for staff in part for voice in staff for chord in voice]
    bars = tuple(Bars(read.metre.metres, pickup=read.metre.pickup).until(max(chord.end for chord in chords)))
    keys = _keys(chords, bars, parts, read, options, stated.keys)
    pitches = _spelled(parts, staves, starts, read, keys)
    score = NotatedScore(
        parts=tuple(_part(part, staff_voices, read, pitches) for part, staff_voices in zip(parts, voices, strict=True)),
        metres=read.metre.metres,
        keys=keys,
        tempos=stated.tempos,
        tempo_words=((Fraction(0), "Swing"),) if read.metre.is_swing else (),
        pickup=read.metre.pickup,
        title=stated.title,
        bar_confidences=bar_confidences(bars, read.grid, read.metre),
        bar_alternatives=bar_alternatives(bars, read.grid, read.metre),
        is_spelled=False,
        hides_idle_rests=True,
    )
    written: list[NotePlace | None] = [None] * len(read.notes)
    for chord in chords:
        for note in chord.notes:
            written[note.number] = NotePlace(beat_places[note.number], chord.start, chord.end - chord.start)
    heads = {
        (read.notes[index].part, starts[index], read.notes[index].pitch): place
        for index, place in enumerate(written)
        if place is not None
    }
    for index, start in starts.items():
        if written[index] is None:
            written[index] = heads.get((read.notes[index].part, start, read.notes[index].pitch))
    return score, written


def _staves(
    part: PerformedPart, number: int, read: ReadRhythm, starts: dict[int, Fraction], options: ReadingOptions
) -> list[list[int]]:
    """Return the notes of each staff of a part. Of notes with the same start and pitch, the first is kept."""
    own: list[int] = []
    seen: set[tuple[Fraction, int]] = set()
    for index in sorted(starts, key=lambda index: (starts[index], read.notes[index].onset)):
        note = read.notes[index]
        if note.part == number and (starts[index], note.pitch) not in seen:
            seen.add((starts[index], note.pitch))
            own.append(index)
    if not _needs_two_staves(part, [read.notes[index].pitch for index in own], options):
        return [own]
    notes = [read.notes[index] for index in own]
    together: dict[Fraction, list[int]] = {}
    for place, index in enumerate(own):
        together.setdefault(starts[index], []).append(place)
    moments = [Moment(float(start), tuple(places)) for start, places in together.items()]
    is_left = left_hand(notes, moments, options.split_pitch)
    right = [index for index, left in zip(own, is_left, strict=True) if not left]
    return [right, [index for index, left in zip(own, is_left, strict=True) if left]]


def _needs_two_staves(part: PerformedPart, pitches: Sequence[int], options: ReadingOptions) -> bool:
    is_keyboard = part.instrument.family in _KEYBOARDS[:2] or part.instrument.name in (_HARP, "Celesta", "Marimba")
    if part.instrument.is_drums or not is_keyboard or not pitches:
        return False
    if options.split_pitch is not None:
        return min(pitches) < options.split_pitch <= max(pitches)
    return min(pitches) < _ONE_STAFF_FROM and max(pitches) > _ONE_STAFF_TO


def _lengths(
    staves: Sequence[Sequence[Sequence[int]]],
    read: ReadRhythm,
    starts: dict[int, Fraction],
    parts: Sequence[PerformedPart],
) -> dict[int, Fraction]:
    """Return the written length of each note."""
    found: dict[int, Fraction] = {}
    for part, own in zip(parts, staves, strict=True):
        for place, staff in enumerate(own):
            others = sorted({starts[index] for number, other in enumerate(own) if number != place for index in other})
            notes = [staff_note(read.notes[index], starts[index], _played_quarters(read, index)) for index in staff]
            lengths = _drum_lengths(notes) if part.instrument.is_drums else note_lengths(notes, others)
            found.update(zip(staff, lengths, strict=True))
    return found


def _played_quarters(read: ReadRhythm, index: int) -> float:
    note = read.notes[index]
    begin, end = read.beats.position(note.onset), read.beats.position(note.end)
    beat = min(max(int(begin), 0), len(read.metre.quarters) - 2)
    return (end - begin) * float(read.metre.quarters[beat + 1] - read.metre.quarters[beat])


def _drum_lengths(notes: Sequence[StaffNote]) -> list[Fraction]:
    """Return lengths for drums, which do not last: until the next start, at most until the next quarter."""
    starts = sorted({note.start for note in notes})
    after = dict(zip(starts, [*starts[1:], starts[-1] + 1], strict=True)) if starts else {}
    return [min(after[note.start], Fraction(note.start // 1 + 1)) - note.start for note in notes]


def _keys(
    chords: Sequence[PlacedChord],
    bars: Sequence[Bar],
    parts: Sequence[PerformedPart],
    read: ReadRhythm,
    options: ReadingOptions,
    stated: tuple[tuple[Fraction, Key], ...],
) -> tuple[tuple[Fraction, Key], ...]:
    """Return the key that was given, those of the file, or those that are found.

    Many programs write C major into every file, so C major alone is not believed if the notes contradict it.
    """
    if options.key is not None:
        return ((Fraction(0), options.key),)
    weights = pitch_class_weights([(note.pitch, float(note.length)) for chord in chords for note in chord.notes])
    may_be_default = [key for _, key in stated] == [_DEFAULT_KEY]
    if stated and not (may_be_default and contradicts(weights, _DEFAULT_KEY)):
        return stated
    numbers = Bars(read.metre.metres, pickup=read.metre.pickup)
    first = bars[0].number
    rows: list[list[tuple[int, float]]] = [[] for _ in bars]
    last: list[tuple[Fraction, int]] = []
    for chord in chords:
        for note in chord.notes:
            if not parts[read.notes[note.number].part].instrument.is_drums:
                rows[min(numbers.number_at(chord.start) - first, len(rows) - 1)].append(
                    (note.pitch, float(chord.end - chord.start))
                )
                last.append((chord.end, note.pitch))
    if not last:
        return ()
    end = max(at for at, _ in last)
    found, _ = find_keys(rows, [pitch for at, pitch in last if at == end])
    return tuple((bars[place].start if place else Fraction(0), key) for place, key in found)


def _spelled(
    parts: Sequence[PerformedPart],
    staves: Sequence[Sequence[Sequence[int]]],
    starts: dict[int, Fraction],
    read: ReadRhythm,
    keys: Sequence[tuple[Fraction, Key]],
) -> dict[int, Pitch]:
    """Return the spelling of every note, grace notes too."""
    found: dict[int, Pitch] = {}
    for part, own in zip(parts, staves, strict=True):
        for staff in own:
            order = sorted(staff, key=lambda index: (starts[index], read.notes[index].pitch))
            if part.instrument.is_drums or not keys:
                found.update((index, Pitch.from_midi(read.notes[index].pitch)) for index in order)
            else:
                line = [(starts[index], read.notes[index].pitch) for index in order]
                found.update(zip(order, spell_notes(line, keys), strict=True))
    for grace, main in read.ornamented.graces.items():
        if keys and main in starts:
            found[grace] = spell_notes([(starts[main], read.notes[grace].pitch)], keys)[0]
    return found


def _part(
    part: PerformedPart, staves: Sequence[Sequence[Sequence[PlacedChord]]], read: ReadRhythm, pitches: dict[int, Pitch]
) -> NotatedPart:
    graces: dict[int, list[int]] = {}
    for grace, main in read.ornamented.graces.items():
        if grace in pitches:
            graces.setdefault(main, []).append(grace)
    clefs = ("treble", "bass") if len(staves) == 2 else ("percussion" if part.instrument.is_drums else None,)
    return NotatedPart(
        part.name,
        tuple(
            NotatedStaff(tuple(tuple(_chords(voice, read, pitches, graces)) for voice in staff), clef)
            for staff, clef in zip(staves, clefs, strict=True)
        ),
        instrument=part.instrument.name,
        is_drums=part.instrument.is_drums,
    )


def _chords(
    voice: Sequence[PlacedChord], read: ReadRhythm, pitches: dict[int, Pitch], graces: dict[int, list[int]]
) -> list[NotatedChord]:
    loudness = [max(read.notes[note.number].velocity for note in chord.notes) for chord in voice]
    staccato = _staccato(voice, read)
    found = []
    for place, chord in enumerate(voice):
        length = chord.end - chord.start
        near = loudness[max(0, place - _NEIGHBOURS) : place + _NEIGHBOURS + 1]
        marks = []
        if place in staccato:
            marks.append(STACCATO)
        if loudness[place] - sum(near) / len(near) > _ACCENT:
            marks.append(ACCENT)
        ornaments = [grace for note in chord.notes for grace in graces.get(note.number, ())]
        found.append(
            NotatedChord(
                chord.start,
                length,
                tuple(pitches[note.number] for note in chord.notes),
                tuple(read.notes[note.number].velocity for note in chord.notes),
                tuple(marks),
                tuple(GraceNote((pitches[grace],)) for grace in ornaments),
                len(chord.notes) > 1 and all(note.number in read.ornamented.arpeggios for note in chord.notes),
            )
        )
    return found


def _staccato(voice: Sequence[PlacedChord], read: ReadRhythm) -> set[int]:
    """Return which chords of a voice are written with a staccato dot: several short ones in a row."""
    found: set[int] = set()
    row: list[int] = []
    for place, chord in enumerate(voice):
        length = chord.end - chord.start
        played = max(_played_quarters(read, note.number) for note in chord.notes)
        is_drum = read.notes[chord.notes[0].number].is_drum
        if is_drum or length > _LONGEST_STACCATO or played >= _STACCATO * length:
            row = []
            continue
        row.append(place)
        if len(row) >= _FEWEST_STACCATO:
            found.update(row)
    return found
