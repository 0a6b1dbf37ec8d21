"""Changing a song: sections, tracks, notes and chords. Every change is one transaction and one step of undo."""

import asyncio
import re

from consort_compose.composer.measures import in_words
from consort_compose.scores.service import SCORE_ID, ScoreService
from consort_compose.songs import heading, note_changes, sections, tracks
from consort_compose.songs.adding import add_notes, no_room_for_pickup
from consort_compose.songs.answers import section_info, sections_info, track_info
from consort_compose.songs.chord_plan import (
    between_beats,
    with_chords,
    with_score_chords,
    without_chords,
)
from consort_compose.songs.copying import copy_section
from consort_compose.songs.models import (
    AddSection,
    AddTrack,
    ChordsSet,
    CopySection,
    EditSection,
    EditSong,
    EditTrack,
    RemoveSection,
    RemoveTrack,
    SectionChanged,
    SectionCopied,
    SectionRemoved,
    Sections,
    SetChords,
    SongChanged,
    SongRequest,
    TrackChanged,
    TrackRemoved,
    Tracks,
    UndoLastAction,
    Undone,
)
from consort_compose.songs.note_edits import Edit, edit_given
from consort_compose.songs.note_input import read_notes
from consort_compose.songs.note_models import (
    AddNotes,
    EditNotes,
    GetNotes,
    NotePage,
    NotesAdded,
    NotesEdited,
    NotesRemoved,
    RemoveNotes,
)
from consort_compose.songs.note_page import note_page
from consort_compose.songs.note_text import WrittenNotes
from consort_compose.songs.opening import changing, reading, which
from consort_compose.songs.score_notes import measure_after_pickup, notes_of_score, parts_left_out
from consort_compose.songs.selection import Selection, selected
from consort_compose.songs.store import UNDO_STEPS, HeldSong, SongStore, Step
from consort_compose.songs.timeline import Timeline
from consort_compose.songs.touched import whole
from consort_compose.songs.words import section_of, track_of
from consort_kit.errors import InvalidInput
from consort_music.errors import MusicError
from consort_music.score import Score

_BETWEEN_BEATS = "In {} chords begin between beats, as they share the bar evenly. A / holds a chord on, as in C / D7 G."


class SongEditor:
    def __init__(self, store: SongStore, scores: ScoreService) -> None:
        self._store = store
        self._scores = scores

    async def edit_song(self, request: EditSong) -> SongChanged:
        async with changing(self._store, request) as held:
            before = held.song
            song = held.song = heading.edit(before, request)
            if song != before:
                await held.save("edit_song", whole("song"))
            told = {"tempo": song.tempo, "time_signature": song.time_signature, "key": song.key}
            given = request.tempo if request.tempo_changes is None else None
            warnings = _as_before(song == before) or heading.tempo_warnings(song, given) or None
            return SongChanged(**which(held), **told, warnings=warnings)

    async def add_section(self, request: AddSection) -> SectionChanged:
        async with changing(self._store, request) as held:
            held.song, section = sections.add(held.song, request)
            await held.save(f"add_section {section.name}", whole("sections"))
            return SectionChanged(**which(held), section=section_info(held.song, section))

    async def edit_section(self, request: EditSection) -> SectionChanged:
        async with changing(self._store, request) as held:
            before = held.song
            held.song, section = sections.edit(before, request)
            if held.song != before:
                await held.save(f"edit_section {section.name}", whole("sections"))
            told = section_info(held.song, section)
            return SectionChanged(**which(held), section=told, warnings=_as_before(held.song == before))

    async def remove_section(self, request: RemoveSection) -> SectionRemoved:
        async with changing(self._store, request) as held:
            section = section_of(held.song, request.name)
            removed, touched = 0, whole("sections")
            if request.with_notes:
                start, end = Timeline(held.song).range_of(section)
                removed, more = await note_changes.remove(held, Selection(held.song.tracks, start, end))
                held.song = without_chords(held.song, start, end)
                touched += more + whole("chords")
            held.song = sections.without(held.song, section)
            await held.save(f"remove_section {section.name}", touched)
            return SectionRemoved(**which(held), removed=section.name, removed_notes=removed)

    async def copy_section(self, request: CopySection) -> SectionCopied:
        async with changing(self._store, request) as held:
            copied, touched = await copy_section(held, request)
            await held.save(f"copy_section {request.name}", touched)
            return SectionCopied(
                **which(held),
                section=section_info(held.song, copied.section) if copied.section else None,
                copied_notes=copied.notes,
                removed_notes=copied.removed,
                transposed=copied.semitones,
                warnings=copied.warnings or None,
            )

    async def sections(self, request: SongRequest) -> Sections:
        async with reading(self._store, request) as opened:
            return Sections(**which(opened), sections=sections_info(opened.song))

    async def add_track(self, request: AddTrack) -> TrackChanged:
        async with changing(self._store, request) as held:
            held.song = tracks.add(held.song, request.name, request.instrument, request.volume, request.pan)
            track = held.song.tracks[-1]
            await held.save(f"add_track {track.name}", whole("tracks"))
            return TrackChanged(**which(held), track=track_info(track, []))

    async def edit_track(self, request: EditTrack) -> TrackChanged:
        async with changing(self._store, request) as held:
            before = held.song
            held.song, track = tracks.edit(before, request)
            if held.song != before:
                await held.save(f"edit_track {track.name}", whole("tracks"))
            told = track_info(track, held.chunks.of_track(track.id))
            return TrackChanged(**which(held), track=told, warnings=_as_before(held.song == before))

    async def remove_track(self, request: RemoveTrack) -> TrackRemoved:
        async with changing(self._store, request) as held:
            track = track_of(held.song, request.name, "name")
            removed = sum(chunk.note_count for chunk in held.chunks.of_track(track.id))
            held.chunks.drop_track(track.id)
            held.song = tracks.without(held.song, track)
            await held.save(f"remove_track {track.name}", whole("tracks", track.id))
            return TrackRemoved(**which(held), removed=track.name, removed_notes=removed)

    async def tracks(self, request: SongRequest) -> Tracks:
        async with reading(self._store, request) as opened:
            told = [track_info(track, opened.chunks.of_track(track.id)) for track in opened.song.tracks]
            return Tracks(**which(opened), tracks=told)

    async def add_notes(self, request: AddNotes) -> NotesAdded:
        written, score = await self._written(request)
        async with changing(self._store, request) as held:
            added = await add_notes(held, request, written, score)
            await held.save(f"add_notes {added.notes}", added.touched)
            if score and (left_out := parts_left_out(score, request.parts)):
                added.warnings.append(f"Parts that were not added: {', '.join(left_out)}.")
            return NotesAdded(
                **which(held),
                added=added.notes,
                removed_notes=added.removed if request.replace else None,
                planned_chords=added.planned_chords or None,
                tracks=added.tracks,
                new_tracks=added.new_tracks or None,
                warnings=added.warnings or None,
            )

    async def _written(self, request: AddNotes) -> tuple[dict[str, WrittenNotes], Score | None]:
        """The notes by track, and the score that they are of."""
        if request.score_id is None:
            if request.parts is not None:
                raise MusicError(
                    "INVALID_INPUT",
                    "'parts' says which track each part of a score goes to, and needs score_id; for notes, name the"
                    " tracks in notes.",
                    ['notes: {"Lead": "C4 1; E4 1/2"}'],
                    "parts",
                )
            return await asyncio.to_thread(read_notes, request.notes, request.track), None
        if request.notes is not None:
            raise MusicError("INVALID_INPUT", "Give notes or score_id, not both.", ["notes", "score_id"], "score_id")
        if request.track is not None and request.parts is not None:
            raise MusicError(
                "INVALID_INPUT",
                "Give track (all parts go to it) or parts (a track for each), not both.",
                ['parts: {"melody": "Flute"}'],
                "parts",
            )
        score = await self._scores.get(request.score_id)
        return notes_of_score(score, request.track, request.parts), score

    async def notes(self, request: GetNotes) -> NotePage:
        async with reading(self._store, request) as opened:
            notes, note_count = await note_page(opened, request)
            end = request.cursor + request.limit
            return NotePage(
                **which(opened),
                notes=notes,
                beat_0_is_bar=request.first_bar,
                note_count=note_count,
                next_cursor=end if end < note_count else None,
            )

    async def remove_notes(self, request: RemoveNotes) -> NotesRemoved:
        async with changing(self._store, request) as held:
            selection = selected(held.song, request)
            if selection.start is None and selection.end is None:
                raise MusicError(
                    "INVALID_INPUT",
                    "Say where the notes are: first_bar and last_bar, a section, or start_time and end_time.",
                    ["first_bar: 1, last_bar: 4", "section"],
                    "first_bar",
                )
            removed, touched = await note_changes.remove(held, selection)
            if removed:
                await held.save(f"remove_notes_in_range {removed}", touched)
            return NotesRemoved(**which(held), removed_notes=removed, warnings=_none_fit(removed))

    async def edit_notes(self, request: EditNotes) -> NotesEdited:
        change = edit_given(request)
        async with changing(self._store, request) as held:
            selection = selected(held.song, request)
            edited, changed, touched = await note_changes.edit(held, selection, change)
            is_same = edited > 0 and change.is_rhythm_only and not changed
            if edited and not is_same:
                await held.save(f"edit_notes {edited}", touched)
            return NotesEdited(
                **which(held),
                edited_notes=edited,
                changed=dict(changed) if change.rhythm and edited else None,
                warnings=_as_before(is_same) or _none_edited(edited, selection, change),
            )

    async def set_chords(self, request: SetChords) -> ChordsSet:
        given = request.chords
        is_score = isinstance(given, str) and re.fullmatch(SCORE_ID, given.strip())
        score = await self._scores.get(given.strip(), "chords") if is_score else None
        async with changing(self._store, request) as held:
            measure = request.measure
            if score is None:
                held.song = with_chords(held.song, given, measure)
            else:
                timeline = Timeline(held.song)
                measure = measure_after_pickup(timeline, measure, score.pickup)
                held.song = with_score_chords(held.song, score, timeline.start_of(measure) - score.pickup)
            await held.save("set_chords", whole("chords"))
            warnings = [no_room_for_pickup(request.measure, measure)] if measure != request.measure else []
            if score is None and (bars := between_beats(held.song, given, measure)):
                warnings.append(_BETWEEN_BEATS.format(in_words(bars)))
            return ChordsSet(**which(held), chord_count=len(held.song.chords), warnings=warnings or None)

    async def undo(self, request: UndoLastAction) -> Undone:
        async with changing(self._store, request) as held:
            steps, _ = await held.steps()
            if not steps:
                raise InvalidInput(
                    f"There is nothing to undo: the song is new, or {UNDO_STEPS} changes were undone.",
                    code="NOTHING_TO_UNDO",
                    suggestions=["get_song_info"],
                )
            await held.move(steps[0], steps[0].number - 1, f"undo {steps[0].action}")
            return await _undone(held, steps[0])

    async def redo(self, request: UndoLastAction) -> Undone:
        async with changing(self._store, request) as held:
            _, steps = await held.steps()
            if not steps:
                raise InvalidInput(
                    "There is nothing to redo: nothing was undone, or the song was changed since.",
                    code="NOTHING_TO_REDO",
                    suggestions=["get_song_info"],
                )
            await held.move(steps[0], steps[0].number, f"redo {steps[0].action}")
            return await _undone(held, steps[0])


def _none_fit(count: int) -> list[str] | None:
    return None if count else ["Nothing changed: no note is in this place."]


def _none_edited(count: int, selection: Selection, change: Edit) -> list[str] | None:
    if not count and selection.tracks and not any(change.is_for(track.is_drums) for track in selection.tracks):
        return ["Nothing changed: drums are not transposed."]
    return _none_fit(count)


def _as_before(unchanged: bool) -> list[str] | None:
    return ["Nothing changed: the values are the same."] if unchanged else None


async def _undone(held: HeldSong, step: Step) -> Undone:
    can_undo, can_redo = await held.steps()
    return Undone(
        **which(held),
        action=step.action,
        undo_steps_left=len(can_undo),
        redo_steps_left=len(can_redo),
        note_count=held.row.note_count,
    )
