"""One page of the notes that fit, track by track in the order of time. Only the chunks on the page are read.

Where bars are asked for, beats count from the first of them, as add_notes counts them from its `first_bar`.
"""

from fractions import Fraction

from consort_compose.songs.chunks import Chunk
from consort_compose.songs.note_models import GetNotes, NoteInfo
from consort_compose.songs.note_text import write_note_text
from consort_compose.songs.selection import selected
from consort_compose.songs.song import Note, Track
from consort_compose.songs.store import OpenSong
from consort_compose.songs.timeline import Timeline
from consort_music.beats import shown_beats


async def note_page(opened: OpenSong, request: GetNotes) -> tuple[list[NoteInfo] | dict[str, str], int]:
    """The notes of the page, as objects or as text by track, and how many fit in all."""
    selection = selected(opened.song, request)
    chunks = [
        (track, chunk)
        for track in selection.tracks
        for chunk in opened.chunks.within(track.id, selection.start, selection.end)
        if not selection.misses(chunk)
    ]
    await opened.fetch(chunk for _, chunk in chunks if not selection.covers(chunk))
    first, last, seen = request.cursor, request.cursor + request.limit, 0
    on_page: list[tuple[Track, Chunk, int]] = []
    for track, chunk in chunks:
        count = selection.count(chunk)
        if seen < last and seen + count > first:
            on_page.append((track, chunk, seen))
        seen += count
    await opened.fetch(chunk for _, chunk, _ in on_page)
    notes: dict[Track, list[Note]] = {}
    for track, chunk, before in on_page:
        notes.setdefault(track, []).extend(selection.of(chunk)[max(first - before, 0) : last - before])
    origin = selection.start if request.first_bar is not None and selection.start is not None else Fraction(0)
    if request.format == "text":
        spelling = Timeline(opened.song).spelling()
        return {
            track.name: write_note_text(each, track.instrument, spelling, origin) for track, each in notes.items()
        }, seen
    return [_info(track, note, origin) for track, each in notes.items() for note in each], seen


def _info(track: Track, note: Note, origin: Fraction) -> NoteInfo:
    return NoteInfo(
        track=track.name,
        pitch=note.pitch,
        start=shown_beats(note.start - origin),
        duration=shown_beats(note.duration),
        velocity=note.velocity,
    )
