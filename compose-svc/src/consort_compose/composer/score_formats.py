"""Write a score in the formats of an answer: note list, MusicXML, note objects."""

from collections.abc import Iterator

from consort_compose.composer.models import ComposedNote, Passage
from consort_music.duration import duration_name
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.note_list import format_note_list
from consort_music.score import Score


def write_passage(score: Score, *, musicxml: bool, notes: bool, note_list: bool = False) -> Passage | None:
    """Return the score in each requested format, or None if no format is requested."""
    if not (musicxml or notes or note_list):
        return None
    return Passage(
        note_list=format_note_list(score) if note_list else None,
        musicxml=write_musicxml(score) if musicxml else None,
        notes=list(_notes(score)) if notes else None,
    )


def _notes(score: Score) -> Iterator[ComposedNote]:
    several = len(score.parts) > 1
    for part in score.parts:
        for note in part.notes:
            place = score.position_at(note.start)
            yield ComposedNote(
                pitch=note.pitch.name,
                duration=duration_name(note.duration),
                measure=place.measure,
                beat=round(float(place.beat), 4),
                part=part.name if several else None,
            )
