"""One page of `get_notes`: the selected notes, by track and in order of time. Only the chunks on the page are decoded.

If the request has `first_bar`, beats count from that bar, as in add_notes.
"""

from fractions import Fraction

from consort_compose.songs.document.song import SongNote, Track
from consort_compose.songs.document.timeline import Timeline
from consort_compose.songs.models.notes import GetNotes, NoteInfo
from consort_compose.songs.notes.note_text import write_note_text
from consort_compose.songs.notes.selection import read_selection
from consort_compose.songs.storage.chunks import Chunk
from consort_compose.songs.storage.store import OpenSong
from consort_music.beats import format_beats


async def note_page(opened: OpenSong, request: GetNotes) -> tuple[list[NoteInfo] | dict[str, str], int]:
    """Return the notes of the page, as objects or as text by track, and the number of all selected notes."""
    selection = read_selection(opened.song, request)
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
    notes: dict[Track, list[SongNote]] = {}
    for track, chunk, before in on_page:
        notes.setdefault(track, []).extend(selection.notes_in(chunk)[max(first - before, 0) : last - before])
    origin = selection.start if request.first_bar is not None and selection.start is not None else Fraction(0)
    if request.format == "text":
        spelling = Timeline(opened.song).spelling()
        return {track.name: write_note_text(each, track, spelling, origin) for track, each in notes.items()}, seen
    return [_info(track, note, origin) for track, each in notes.items() for note in each], seen


def _info(track: Track, note: SongNote, origin: Fraction) -> NoteInfo:
    return NoteInfo(
        track=track.name,
        pitch=note.pitch,
        start=format_beats(note.start - origin),
        duration=format_beats(note.duration),
        velocity=note.velocity,
    )
