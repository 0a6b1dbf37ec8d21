"""The parts of a composed score as notes for the tracks of a song."""

from collections.abc import Mapping
from fractions import Fraction

from consort_compose.songs.document.song import Song, SongNote
from consort_compose.songs.document.timeline import Timeline
from consort_compose.songs.notes.notes_for_track import MAX_NOTES_A_CALL, NotesForTrack, too_many_notes
from consort_music.errors import MusicError, quoted
from consort_music.score import Part, Score


def notes_of_score(score: Score, track: str | None, parts: Mapping[str, str] | None) -> dict[str, NotesForTrack]:
    """Return the notes of a score by track name.

    With `parts`, only the parts it names are used: it maps each part to a track. Otherwise all parts go to `track` or,
    if that is None, each to the track with the part's name. Raise TOO_MANY_NOTES if the score has more notes than one
    call may add, or UNKNOWN_PART if `parts` names a part that the score does not have.
    """
    if score.note_count > MAX_NOTES_A_CALL:
        raise too_many_notes()
    written: dict[str, NotesForTrack] = {}
    if parts is None:
        targets = [(part, track if track is not None else part.name, "track") for part in score.parts]
    else:
        targets = [(_part(score, key), name, f"parts.{key[:80]}") for key, name in parts.items()]
    for part, name, field in targets:
        notes = [
            SongNote(Fraction(note.start), note.pitch.midi, Fraction(note.duration), note.velocity)
            for note in part.notes
        ]
        known = written.setdefault(name, NotesForTrack([], field=field, instrument=part.instrument))
        known.notes.extend(notes)
    return written


def parts_left_out(score: Score, parts: Mapping[str, str] | None) -> list[str]:
    """Return the names of the score's parts that `parts` does not name; none if `parts` is None."""
    if parts is None:
        return []
    named = [_part(score, key) for key in parts]
    return [part.name for part in score.parts if not any(part is each for each in named)]


def conflicting_chords(song: Song, score: Score, origin: Fraction) -> list[str]:
    """Return the planned chords of the song that differ from those of a score that begins at `origin`."""
    chords_of_score = {(origin + mark.start, mark.symbol) for mark in score.chords}
    end = origin + score.length
    return [
        chord.symbol for chord in song.chords if origin <= chord.start < end and tuple(chord) not in chords_of_score
    ]


def measure_after_pickup(timeline: Timeline, measure: int, pickup: Fraction) -> int:
    """Return the first measure, from `measure` on, that starts at least `pickup` beats after the song's beginning."""
    while timeline.start_of(measure) < pickup:
        measure += 1
    return measure


def _part(score: Score, key: str) -> Part:
    """Return the part named `key`, or number `key` (counted from 1). Raise UNKNOWN_PART if there is none."""
    wanted = key.strip()
    named = [part for part in score.parts if part.name.strip() == wanted]
    named = named or [part for part in score.parts if part.name.strip().casefold() == wanted.casefold()]
    if not named and wanted.isdecimal() and 1 <= int(wanted[:6]) <= len(score.parts):
        named = [score.parts[int(wanted) - 1]]
    if not named:
        known = ", ".join(f"{number} {quoted(part.name)}" for number, part in enumerate(score.parts[:10], start=1))
        raise MusicError(
            "UNKNOWN_PART",
            f"The score has no part {quoted(key)}. Its parts are {known}.",
            [part.name for part in score.parts[:5]],
            f"parts.{key[:80]}",
        )
    return named[0]
