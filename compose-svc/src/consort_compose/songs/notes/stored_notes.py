"""Reading the notes of a stored song."""

import asyncio
from fractions import Fraction

from consort_compose.songs.document.song import SongNote, Track
from consort_compose.songs.notes.selection import Selection
from consort_compose.songs.storage.store import OpenSong


async def find_notes(opened: OpenSong, track: Track, selection: Selection) -> list[SongNote]:
    """Return the selected notes of a track, in order."""
    chunks = await opened.fetch(opened.chunks.within(track.id, selection.start, selection.end))
    return [note for chunk in chunks for note in selection.notes_in(chunk)]


async def all_notes(opened: OpenSong) -> dict[int, list[SongNote]]:
    """Return all notes by track id, in order. Decoding runs in a thread."""
    chunks = await opened.fetch(opened.chunks.all())

    def decode_all() -> dict[int, list[SongNote]]:
        notes: dict[int, list[SongNote]] = {}
        for chunk in chunks:
            notes.setdefault(chunk.track, []).extend(chunk.notes)
        return notes

    return await asyncio.to_thread(decode_all)


async def end_of_notes(opened: OpenSong) -> Fraction:
    """Return the exact beat where the last note ends; 0 without notes. Only the chunks that end last are decoded."""
    chunks = opened.chunks.all()
    farthest = max((chunk.last_end for chunk in chunks), default=0.0)
    last = await opened.fetch(chunk for chunk in chunks if chunk.last_end >= farthest - 1e-6)
    return max((chunk.end() for chunk in last), default=Fraction(0))
