"""The notes of a composed score, to be added to a song, and where its pickup goes."""

from fractions import Fraction

from consort_compose.songs.note_text import MAX_NOTES_A_CALL, WrittenNotes, too_many_notes
from consort_compose.songs.song import Note
from consort_compose.songs.timeline import Timeline
from consort_music.score import Score


def notes_of_score(score: Score, track: str | None) -> dict[str, WrittenNotes]:
    """All parts to one track, or each to the track of its name."""
    if score.note_count > MAX_NOTES_A_CALL:
        raise too_many_notes()
    written: dict[str, WrittenNotes] = {}
    for part in score.parts:
        notes = [
            Note(Fraction(note.start), note.pitch.midi, Fraction(note.duration), note.velocity) for note in part.notes
        ]
        name = track if track is not None else part.name
        written.setdefault(name, WrittenNotes([], field="track")).notes.extend(notes)
    return written


def measure_after_pickup(timeline: Timeline, measure: int, pickup: Fraction) -> int:
    """Where the first full bar goes: `measure`, or the first one with room for the pickup before it."""
    while timeline.start_of(measure) < pickup:
        measure += 1
    return measure
