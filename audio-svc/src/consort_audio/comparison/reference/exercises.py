"""Scales and exercises as expected music: notes of equal length from the first beat of bar 1."""

from collections.abc import Sequence
from fractions import Fraction

from consort_audio.comparison.reference.expected_music import ExpectedBar, ExpectedMusic, ExpectedNote
from consort_audio.comparison.reference.parameters import ExerciseReference, ScaleReference
from consort_audio.comparison.reference.patterns import arpeggio_pitches, interval_pitches, scale_pitches
from consort_music.bars import Bars
from consort_music.chords.grammar import parse_chord
from consort_music.errors import in_field
from consort_music.intervals import transpose
from consort_music.keys import parse_key
from consort_music.metre import COMMON_TIME, Metre
from consort_music.notation.note_list import parse_note_list
from consort_music.pitch import Pitch, pitch_class_name

DEFAULT_BPM = 100.0
"""The written tempo if none is asked for. Only the ratios of times matter then."""
_PLURALS = ("unisons", "seconds", "thirds", "fourths", "fifths", "sixths", "sevenths", "octaves", "ninths", "tenths")


def scale_music(reference: ScaleReference) -> ExpectedMusic:
    """Return the notes of a scale."""
    pitches = scale_pitches(reference.key, reference.octaves, reference.pattern, reference.start_note)
    octaves = "" if reference.octaves == 1 else f", {reference.octaves} octaves"
    pattern = "" if reference.pattern == "up" else f", {reference.pattern.replace('_', ' and ')}"
    title = f"{reference.key.name}{octaves}{pattern}"
    return _even_notes(title, pitches, reference.note_value, reference.tempo, reference.start_note is None)


def exercise_music(reference: ExerciseReference) -> ExpectedMusic:
    """Return the notes of an arpeggio, of intervals, or of a note list."""
    if reference.kind == "notes":
        return _note_list_music(reference)
    start, key = reference.start_note, reference.key
    if reference.kind == "arpeggio":
        chord = reference.chord
        if chord is None:
            key = key or parse_key("C major")
            chord = parse_chord(pitch_class_name(key.step, key.alter) + ("m" if key.is_minor else ""))
        pitches = arpeggio_pitches(chord, reference.octaves, reference.pattern, start)
        title = f"{chord.name} arpeggio"
    else:
        interval = reference.interval
        assert interval is not None  # checked by the model
        if key is None and start is not None:
            pitches = [start, transpose(start, interval), start]
            title = f"{interval.name} on {start.name}"
        else:
            key = key or parse_key("C major")
            pitches = interval_pitches(key, interval.steps, reference.octaves, start)
            title = f"{key.name} in {_PLURALS[interval.steps]}" if interval.steps < len(_PLURALS) else key.name
    return _even_notes(title, pitches, reference.note_value, reference.tempo, start is None)


def _even_notes(
    title: str, pitches: Sequence[Pitch], note_value: Fraction, tempo: float | None, is_any_octave: bool
) -> ExpectedMusic:
    notes = [(place * note_value, note_value, pitch) for place, pitch in enumerate(pitches)]
    return music_of_notes(title, notes, COMMON_TIME, tempo, is_any_octave=is_any_octave)


def music_of_notes(
    title: str,
    notes: Sequence[tuple[Fraction, Fraction, Pitch]],
    metre: Metre,
    tempo: float | None,
    *,
    is_any_octave: bool = False,
) -> ExpectedMusic:
    """Return expected music of notes (start, duration, pitch) in quarter notes at one tempo."""
    bars = Bars([(0, metre)])
    quarter = 60 / (tempo or DEFAULT_BPM)
    first = min((start for start, _, _ in notes), default=Fraction(0))
    last = max((start for start, _, _ in notes), default=Fraction(0))
    found: dict[tuple[Fraction, int], ExpectedNote] = {}
    for start, duration, pitch in sorted(notes, key=lambda note: (note[0], note[2].midi, note[1])):
        place = bars.position_at(start)
        begin, end = float(start - first) * quarter, float(start + duration - first) * quarter
        name, beat = pitch.typed_name, float(place.beat)
        found[start, pitch.midi] = ExpectedNote(begin, end, pitch.midi, name, place.measure, beat)
    lines = tuple(
        ExpectedBar(bar.number, float(bar.start - first) * quarter) for bar in bars.until(last + Fraction(1, 64))
    )
    return ExpectedMusic(title, tuple(found.values()), lines, tempo or DEFAULT_BPM, tempo is not None, is_any_octave)


def _note_list_music(reference: ExerciseReference) -> ExpectedMusic:
    assert reference.notes is not None  # checked by the model
    with in_field("notes"):
        score = parse_note_list(reference.notes)
    notes = [(note.start, note.duration, note.pitch) for part in score.parts for note in part.notes]
    return music_of_notes("the given notes", notes, COMMON_TIME, reference.tempo)
