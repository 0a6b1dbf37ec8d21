"""Adding, removing and changing notes of a locked song. The functions return the changed places."""

import asyncio
from collections import Counter
from fractions import Fraction

from consort_compose.songs.document.song import MAX_BEAT, MAX_NOTES, SongNote, Track, span_of
from consort_compose.songs.document.tempos import tempo_map
from consort_compose.songs.document.timeline import Timeline
from consort_compose.songs.edits.note_edit import NoteEdit
from consort_compose.songs.edits.rhythm import MAX_SHIFT
from consort_compose.songs.notes.selection import Selection
from consort_compose.songs.storage.changed_places import ChangedPlaces, places_of_notes
from consort_compose.songs.storage.store import LockedSong
from consort_music.errors import MusicError


async def add(locked: LockedSong, track: Track, notes: list[SongNote]) -> ChangedPlaces:
    """Add notes to a track.

    Raise TOO_MANY_NOTES if the song would have more than MAX_NOTES, or INVALID_EXPRESSION if a note ends too late.
    """
    if locked.chunks.note_count + len(notes) > MAX_NOTES:
        raise MusicError(
            "TOO_MANY_NOTES", f"A song has at most {MAX_NOTES:,} notes. Use another song.", ["another song"], "notes"
        )
    if span_of(notes)[1] > MAX_BEAT:
        raise MusicError(
            "INVALID_EXPRESSION", f"A note would end after beat {MAX_BEAT:,}, the end of a song.", field="notes"
        )
    await locked.fetch(locked.chunks.around(track.id, notes))
    await asyncio.to_thread(locked.chunks.add, track.id, notes)
    return places_of_notes(track.id, notes)


async def remove(locked: LockedSong, selection: Selection) -> tuple[int, ChangedPlaces]:
    """Remove the selected notes; return their number. Chunks that are removed as a whole are not fetched."""
    removed = 0
    changed_places: ChangedPlaces = []
    for track in selection.tracks:
        for chunk in locked.chunks.within(track.id, selection.start, selection.end):
            if selection.covers(chunk):
                locked.chunks.replace(track.id, chunk, [])
                removed += chunk.note_count
                changed_places.append((track.id, chunk.first_start, chunk.last_end))
        notes = await take(locked, track, selection)
        removed += len(notes)
        changed_places += places_of_notes(track.id, notes)
    return removed, changed_places


async def take(locked: LockedSong, track: Track, selection: Selection) -> list[SongNote]:
    """Remove the selected notes of a track and return them, sorted."""
    chunks = await locked.fetch(locked.chunks.within(track.id, selection.start, selection.end))

    def split_chunks() -> list[SongNote]:
        taken: list[SongNote] = []
        for chunk in chunks:
            chosen, left = selection.split(chunk)
            if chosen:
                locked.chunks.replace(track.id, chunk, left)
                taken += chosen
        return taken

    return await asyncio.to_thread(split_chunks)


async def edit(locked: LockedSong, selection: Selection, change: NoteEdit) -> tuple[int, Counter[str], ChangedPlaces]:
    """Change the selected notes. Stretching is relative to the start of the range or, without one, the first note.

    Return the number of selected notes, how many notes a change of rhythm affected (by kind of change), and the
    changed places.
    """
    tracks = [track for track in selection.tracks if change.concerns(track.is_drums)]
    taken = [(track, notes) for track in tracks if (notes := await take(locked, track, selection))]
    origin = selection.start
    if origin is None:
        origin = min((notes[0].start for _, notes in taken), default=Fraction(0))
    changed_places: ChangedPlaces = []
    counts: Counter[str] = Counter()
    for track, notes in taken:
        changed = await asyncio.to_thread(change.apply_to_all, notes, origin, track.is_drums)
        changed_places += places_of_notes(track.id, notes)
        if change.rhythm:
            near = await take_near(locked, track, changed)
            tempos = tempo_map(locked.song, Timeline(locked.song), span_of(changed)[1])
            played = await asyncio.to_thread(change.rhythm.apply, changed, near, tempos, track.id)
            changed_places += places_of_notes(track.id, [*played.changed_near, *changed])
            counts += played.counts
            await add(locked, track, played.notes)
        else:
            changed_places += await add(locked, track, changed)
    return sum(len(notes) for _, notes in taken), counts, changed_places


async def take_near(locked: LockedSong, track: Track, notes: list[SongNote]) -> list[SongNote]:
    """Remove and return the other notes of the same pitches that a change of rhythm could collide with."""
    start, end = span_of(notes)
    first, last = start - MAX_SHIFT, end + MAX_SHIFT
    pitches = {note.pitch for note in notes}
    chunks = [
        chunk for chunk in locked.chunks.of_track(track.id) if chunk.last_end >= first and chunk.first_start <= last
    ]
    taken: list[SongNote] = []
    for chunk in await locked.fetch(chunks):
        near = [note for note in chunk.notes if note.pitch in pitches and note.end > first and note.start < last]
        if near:
            removed = set(near)
            locked.chunks.replace(track.id, chunk, [note for note in chunk.notes if note not in removed])
            taken += near
    return taken
