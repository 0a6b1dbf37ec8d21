"""Adding, finding, removing and changing notes of a song that is held."""

import asyncio
from collections import Counter
from fractions import Fraction

from consort_compose.songs.note_edits import Edit
from consort_compose.songs.note_rhythm import FARTHEST
from consort_compose.songs.selection import Selection
from consort_compose.songs.song import MAX_BEAT, MAX_NOTES, Note, Track, span_of
from consort_compose.songs.store import HeldSong, OpenSong
from consort_compose.songs.tempos import tempo_map
from consort_compose.songs.timeline import Timeline
from consort_compose.songs.touched import Touched, around
from consort_music.errors import MusicError


async def put(held: HeldSong, track: Track, notes: list[Note]) -> Touched:
    if held.chunks.note_count + len(notes) > MAX_NOTES:
        raise MusicError("TOO_MANY_NOTES", f"A song has at most {MAX_NOTES:,} notes.", ["another song"], "notes")
    if span_of(notes)[1] > MAX_BEAT:
        raise MusicError("INVALID_EXPRESSION", f"A song ends at beat {MAX_BEAT:,}.", field="notes")
    await held.fetch(held.chunks.around(track.id, notes))
    await asyncio.to_thread(held.chunks.add, track.id, notes)
    return around(track.id, notes)


async def remove(held: HeldSong, selection: Selection) -> tuple[int, Touched]:
    """Chunks that go as a whole are not even read."""
    removed = 0
    touched: Touched = []
    for track in selection.tracks:
        for chunk in held.chunks.within(track.id, selection.start, selection.end):
            if selection.covers(chunk):
                held.chunks.replace(track.id, chunk, [])
                removed += chunk.note_count
                touched.append((track.id, chunk.first_start, chunk.last_end))
        notes = await take(held, track, selection)
        removed += len(notes)
        touched += around(track.id, notes)
    return removed, touched


async def take(held: HeldSong, track: Track, selection: Selection) -> list[Note]:
    """Remove the selected notes of a track; what was removed, in order."""
    chunks = await held.fetch(held.chunks.within(track.id, selection.start, selection.end))

    def work() -> list[Note]:
        taken: list[Note] = []
        for chunk in chunks:
            chosen, left = selection.split(chunk)
            if chosen:
                held.chunks.replace(track.id, chunk, left)
                taken += chosen
        return taken

    return await asyncio.to_thread(work)


async def find(opened: OpenSong, track: Track, selection: Selection) -> list[Note]:
    chunks = await opened.fetch(opened.chunks.within(track.id, selection.start, selection.end))
    return [note for chunk in chunks for note in selection.of(chunk)]


async def edit(held: HeldSong, selection: Selection, change: Edit) -> tuple[int, Counter[str], Touched]:
    """Change the selected notes; stretching goes from the start of the range, or from the first note.

    Return how many there were, and what a change of rhythm did.
    """
    tracks = [track for track in selection.tracks if change.is_for(track.is_drums)]
    taken = [(track, notes) for track in tracks if (notes := await take(held, track, selection))]
    origin = selection.start
    if origin is None:
        origin = min((notes[0].start for _, notes in taken), default=Fraction(0))
    touched: Touched = []
    counts: Counter[str] = Counter()
    for track, notes in taken:
        changed = await asyncio.to_thread(change.of_all, notes, origin, track.is_drums)
        touched += around(track.id, notes)
        if change.rhythm:
            near = await take_near(held, track, changed)
            tempos = tempo_map(held.song, Timeline(held.song), span_of(changed)[1])
            played = await asyncio.to_thread(change.rhythm.played, changed, near, tempos, track.id)
            touched += around(track.id, [*played.changed_near, *changed])
            counts += played.counts
            await put(held, track, played.notes)
        else:
            touched += await put(held, track, changed)
    return sum(len(notes) for _, notes in taken), counts, touched


async def take_near(held: HeldSong, track: Track, notes: list[Note]) -> list[Note]:
    """Remove the notes on the pitches of these that a change of rhythm could bring in their way."""
    start, end = span_of(notes)
    first, last = start - FARTHEST, end + FARTHEST
    pitches = {note.pitch for note in notes}
    chunks = [
        chunk for chunk in held.chunks.of_track(track.id) if chunk.last_end >= first and chunk.first_start <= last
    ]
    taken: list[Note] = []
    for chunk in await held.fetch(chunks):
        near = [note for note in chunk.notes if note.pitch in pitches and note.end > first and note.start < last]
        if near:
            gone = set(near)
            held.chunks.replace(track.id, chunk, [note for note in chunk.notes if note not in gone])
            taken += near
    return taken


async def all_notes(opened: OpenSong) -> dict[int, list[Note]]:
    """By the id of the track, in order."""
    chunks = await opened.fetch(opened.chunks.all())

    def work() -> dict[int, list[Note]]:
        notes: dict[int, list[Note]] = {}
        for chunk in chunks:
            notes.setdefault(chunk.track, []).extend(chunk.notes)
        return notes

    return await asyncio.to_thread(work)


async def end_of(opened: OpenSong) -> Fraction:
    """Where the last note ends, exactly: only the chunks that reach farthest are looked at."""
    chunks = opened.chunks.all()
    farthest = max((chunk.last_end for chunk in chunks), default=0.0)
    last = await opened.fetch(chunk for chunk in chunks if chunk.last_end >= farthest - 1e-6)
    return max((chunk.end() for chunk in last), default=Fraction(0))
