"""One page of the notes that fit, track by track in the order of time. Only the chunks on the page are read."""

from consort_compose.songs.beats import told
from consort_compose.songs.chunks import Chunk
from consort_compose.songs.models import GetNotes, NoteInfo
from consort_compose.songs.note_text import write_note_text
from consort_compose.songs.selection import selected
from consort_compose.songs.song import Note, Track
from consort_compose.songs.store import OpenSong
from consort_compose.songs.timeline import Timeline


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
    if request.format == "text":
        spelling = Timeline(opened.song).spelling()
        return {track.name: write_note_text(each, track.instrument, spelling) for track, each in notes.items()}, seen
    return [_info(track, note) for track, each in notes.items() for note in each], seen


def _info(track: Track, note: Note) -> NoteInfo:
    return NoteInfo(
        track=track.name,
        pitch=note.pitch,
        start=told(note.start),
        duration=told(note.duration),
        velocity=note.velocity,
    )
