"""Move a scale or exercise to the octave in which it was played, so that answers name the notes that were heard."""

from dataclasses import replace

from consort_audio.comparison.align.alignment import Alignment
from consort_audio.comparison.reference.expected_music import ExpectedMusic, ExpectedNote
from consort_music.pitch import Pitch, parse_pitch_or_number


def in_played_octave(music: ExpectedMusic, alignment: Alignment) -> tuple[ExpectedMusic, Alignment]:
    """Return music that may be played in any octave, and its alignment, in the octave of the take."""
    semitones = alignment.semitones
    if not music.is_any_octave or semitones % 12 or not semitones:
        return music, alignment
    notes = tuple(_moved(note, semitones // 12) for note in music.notes)
    pitches = [pitch + semitones for pitch in alignment.pitches]
    return replace(music, notes=notes), replace(alignment, semitones=0, pitches=pitches)


def _moved(note: ExpectedNote, octaves: int) -> ExpectedNote:
    written = parse_pitch_or_number(note.name)
    return note._replace(
        pitch=note.pitch + 12 * octaves,
        name=Pitch(written.step, written.alter, written.octave + octaves).typed_name,
    )
