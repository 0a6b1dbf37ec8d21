"""The notes of a composed score, to be added to a song, and where its pickup goes."""

from collections.abc import Iterable
from fractions import Fraction

from consort_compose.songs.note_text import MAX_NOTES_A_CALL, WrittenNotes, too_many_notes
from consort_compose.songs.song import Note, Song
from consort_compose.songs.timeline import Timeline
from consort_music.errors import MusicError
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


def check_tracks(song: Song, parts: Iterable[str]) -> None:
    """Raise UNKNOWN_TRACK with all that is missing, where a score has parts that the song has no tracks for."""
    names = list(parts)
    missing = [name for name in names if song.track_named(name) is None]
    if missing:
        raise MusicError(
            "UNKNOWN_TRACK",
            f"The score's parts are {', '.join(names)}, and the song has no track {', '.join(missing)}. Add tracks of "
            "these names with add_track, or name one track for all of them.",
            ["add_track", *(track.name for track in song.tracks[:4])],
            "track",
        )


def measure_after_pickup(timeline: Timeline, measure: int, pickup: Fraction) -> int:
    """Where the first full bar goes: `measure`, or the first one with room for the pickup before it."""
    while timeline.start_of(measure) < pickup:
        measure += 1
    return measure
