"""Changing a song: properties, sections, tracks, notes and chords. Each change is one transaction and one undo step."""

import asyncio
import re

from consort_compose.scores.service import SCORE_OR_PIECE, ScoreService
from consort_compose.songs.descriptions.sections_and_tracks import describe_section, describe_track
from consort_compose.songs.document.chord_plan import (
    bars_with_offbeat_chords,
    with_chords,
    with_score_chords,
    without_chords,
)
from consort_compose.songs.document.names import find_section, find_track
from consort_compose.songs.document.timeline import Timeline
from consort_compose.songs.edits import change_notes, properties, sections, tracks
from consort_compose.songs.edits.add_notes import add_notes, no_room_for_pickup
from consort_compose.songs.edits.copy_section import copy_section
from consort_compose.songs.edits.note_edit import NoteEdit, read_note_edit
from consort_compose.songs.models.chords import ChordsSet, SetChords
from consort_compose.songs.models.notes import (
    AddNotes,
    EditNotes,
    NotesAdded,
    NotesEdited,
    NotesRemoved,
    RemoveNotes,
)
from consort_compose.songs.models.sections import (
    AddSection,
    CopySection,
    EditSection,
    RemoveSection,
    SectionChanged,
    SectionCopied,
    SectionRemoved,
)
from consort_compose.songs.models.songs import EditSong, SongChanged, UndoLastAction, Undone
from consort_compose.songs.models.tracks import AddTrack, EditTrack, RemoveTrack, TrackChanged, TrackRemoved
from consort_compose.songs.notes.from_score import measure_after_pickup, notes_of_score, parts_left_out
from consort_compose.songs.notes.note_input import read_notes
from consort_compose.songs.notes.notes_for_track import NotesForTrack
from consort_compose.songs.notes.selection import Selection, read_selection
from consort_compose.songs.storage.changed_places import everywhere_in
from consort_compose.songs.storage.requested_song import open_for_change, song_identity
from consort_compose.songs.storage.store import UNDO_STEPS, LockedSong, SongStore, UndoStep
from consort_music.chords.grammar import parse_chord
from consort_music.chords.symbol import alternative_remarks
from consort_music.errors import MusicError
from consort_music.measure_ranges import measures_in_words
from consort_music.score import Score

_OFFBEAT_CHORDS = (
    "In {} chords begin between beats, because the chords of a bar share it evenly. Use / to hold a chord: C / D7 G."
)


class SongEditor:
    """Changes songs for one client."""

    def __init__(self, store: SongStore, scores: ScoreService) -> None:
        self._store = store
        self._scores = scores

    async def edit_song(self, request: EditSong) -> SongChanged:
        async with open_for_change(self._store, request) as locked:
            before = locked.song
            song = locked.song = properties.edit(before, request)
            if song != before:
                await locked.save("edit_song", everywhere_in("song"))
            properties_now = {"tempo": song.tempo, "time_signature": song.time_signature, "key": song.key}
            given = request.tempo if request.tempo_changes is None else None
            warnings = _unchanged_warning(song == before) or properties.tempo_warnings(song, given) or None
            return SongChanged(**song_identity(locked.row), **properties_now, warnings=warnings)

    async def add_section(self, request: AddSection) -> SectionChanged:
        async with open_for_change(self._store, request) as locked:
            locked.song, section = sections.add(locked.song, request)
            await locked.save(f"add_section {section.name}", everywhere_in("sections"))
            return SectionChanged(**song_identity(locked.row), section=describe_section(locked.song, section))

    async def edit_section(self, request: EditSection) -> SectionChanged:
        async with open_for_change(self._store, request) as locked:
            before = locked.song
            locked.song, section = sections.edit(before, request)
            if locked.song != before:
                await locked.save(f"edit_section {section.name}", everywhere_in("sections"))
            info = describe_section(locked.song, section)
            return SectionChanged(
                **song_identity(locked.row), section=info, warnings=_unchanged_warning(locked.song == before)
            )

    async def remove_section(self, request: RemoveSection) -> SectionRemoved:
        async with open_for_change(self._store, request) as locked:
            section = find_section(locked.song, request.name)
            removed, changed_places = 0, everywhere_in("sections")
            if request.with_notes:
                start, end = Timeline(locked.song).range_of(section)
                removed, more = await change_notes.remove(locked, Selection(locked.song.tracks, start, end))
                locked.song = without_chords(locked.song, start, end)
                changed_places += more + everywhere_in("chords")
            locked.song = sections.without(locked.song, section)
            await locked.save(f"remove_section {section.name}", changed_places)
            return SectionRemoved(**song_identity(locked.row), removed=section.name, removed_notes=removed)

    async def copy_section(self, request: CopySection) -> SectionCopied:
        async with open_for_change(self._store, request) as locked:
            copied, changed_places = await copy_section(locked, request)
            await locked.save(f"copy_section {request.name}", changed_places)
            return SectionCopied(
                **song_identity(locked.row),
                section=describe_section(locked.song, copied.section) if copied.section else None,
                copied_notes=copied.notes,
                removed_notes=copied.removed,
                transposed=copied.semitones,
                warnings=copied.warnings or None,
            )

    async def add_track(self, request: AddTrack) -> TrackChanged:
        async with open_for_change(self._store, request) as locked:
            locked.song = tracks.add(locked.song, request.name, request.instrument, request.volume, request.pan)
            track = locked.song.tracks[-1]
            await locked.save(f"add_track {track.name}", everywhere_in("tracks"))
            return TrackChanged(**song_identity(locked.row), track=describe_track(track, []))

    async def edit_track(self, request: EditTrack) -> TrackChanged:
        async with open_for_change(self._store, request) as locked:
            before = locked.song
            locked.song, track = tracks.edit(before, request)
            if locked.song != before:
                await locked.save(f"edit_track {track.name}", everywhere_in("tracks"))
            info = describe_track(track, locked.chunks.of_track(track.id))
            return TrackChanged(
                **song_identity(locked.row), track=info, warnings=_unchanged_warning(locked.song == before)
            )

    async def remove_track(self, request: RemoveTrack) -> TrackRemoved:
        async with open_for_change(self._store, request) as locked:
            track = find_track(locked.song, request.name, "name")
            removed = sum(chunk.note_count for chunk in locked.chunks.of_track(track.id))
            locked.chunks.drop_track(track.id)
            locked.song = tracks.without(locked.song, track)
            await locked.save(f"remove_track {track.name}", everywhere_in("tracks", track.id))
            return TrackRemoved(**song_identity(locked.row), removed=track.name, removed_notes=removed)

    async def add_notes(self, request: AddNotes) -> NotesAdded:
        written, score = await self._read_notes(request)
        async with open_for_change(self._store, request) as locked:
            added = await add_notes(locked, request, written, score)
            await locked.save(f"add_notes {added.notes}", added.changed_places)
            if score and (left_out := parts_left_out(score, request.parts)):
                added.warnings.append(f"These parts of the score were not added: {', '.join(left_out)}.")
            return NotesAdded(
                **song_identity(locked.row),
                added=added.notes,
                removed_notes=added.removed if request.replace else None,
                planned_chords=added.planned_chords or None,
                tracks=added.tracks,
                new_tracks=added.new_tracks or None,
                warnings=added.warnings or None,
            )

    async def _read_notes(self, request: AddNotes) -> tuple[dict[str, NotesForTrack], Score | None]:
        """Return the notes of a request by track name, and the score that they come from, or None."""
        if request.score_id is None:
            if request.parts is not None:
                raise MusicError(
                    "INVALID_INPUT",
                    "'parts' names a track for each part of a score and needs score_id. For notes, name the tracks in"
                    " 'notes'.",
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

    async def remove_notes(self, request: RemoveNotes) -> NotesRemoved:
        async with open_for_change(self._store, request) as locked:
            selection = read_selection(locked.song, request)
            if selection.start is None and selection.end is None:
                raise MusicError(
                    "INVALID_INPUT",
                    "Give the range of the notes: first_bar and last_bar, a section, or start_time and end_time.",
                    ["first_bar: 1, last_bar: 4", "section"],
                    "first_bar",
                )
            removed, changed_places = await change_notes.remove(locked, selection)
            if removed:
                await locked.save(f"remove_notes_in_range {removed}", changed_places)
            return NotesRemoved(**song_identity(locked.row), removed_notes=removed, warnings=_no_notes_warning(removed))

    async def edit_notes(self, request: EditNotes) -> NotesEdited:
        change = read_note_edit(request)
        async with open_for_change(self._store, request) as locked:
            selection = read_selection(locked.song, request)
            edited, changed, changed_places = await change_notes.edit(locked, selection, change)
            is_unchanged = edited > 0 and change.is_rhythm_only and not changed
            if edited and not is_unchanged:
                await locked.save(f"edit_notes {edited}", changed_places)
            return NotesEdited(
                **song_identity(locked.row),
                edited_notes=edited,
                changed=dict(changed) if change.rhythm and edited else None,
                warnings=_unchanged_warning(is_unchanged) or _nothing_edited_warning(edited, selection, change),
            )

    async def set_chords(self, request: SetChords) -> ChordsSet:
        given = request.chords
        is_score = isinstance(given, str) and re.fullmatch(SCORE_OR_PIECE, given.strip())
        score = await self._scores.get(given.strip(), "chords") if is_score else None
        async with open_for_change(self._store, request) as locked:
            measure = request.measure
            known = {mark.symbol for mark in locked.song.chords}
            if score is None:
                locked.song = with_chords(locked.song, given, measure)
            else:
                timeline = Timeline(locked.song)
                measure = measure_after_pickup(timeline, measure, score.pickup)
                locked.song = with_score_chords(locked.song, score, timeline.start_of(measure) - score.pickup)
            await locked.save("set_chords", everywhere_in("chords"))
            warnings = [no_room_for_pickup(request.measure, measure)] if measure != request.measure else []
            if score is None and (bars := bars_with_offbeat_chords(locked.song, given, measure)):
                warnings.append(_OFFBEAT_CHORDS.format(measures_in_words(bars)))
            if score is None:
                new = {mark.symbol for mark in locked.song.chords} - known
                warnings += alternative_remarks(map(parse_chord, sorted(new)))
            return ChordsSet(
                **song_identity(locked.row), chord_count=len(locked.song.chords), warnings=warnings or None
            )

    async def undo(self, request: UndoLastAction) -> Undone:
        async with open_for_change(self._store, request) as locked:
            steps, _ = await locked.steps()
            if not steps:
                raise MusicError(
                    "NOTHING_TO_UNDO",
                    f"There is nothing to undo: the song has no changes, or {UNDO_STEPS} were undone.",
                    ["get_song_info"],
                )
            await locked.go_to_state(steps[0].number - 1, steps[0], f"undo {steps[0].action}")
            return await _undone(locked, steps[0])

    async def redo(self, request: UndoLastAction) -> Undone:
        async with open_for_change(self._store, request) as locked:
            _, steps = await locked.steps()
            if not steps:
                raise MusicError(
                    "NOTHING_TO_REDO",
                    "There is nothing to redo: nothing was undone, or the song was changed since.",
                    ["get_song_info"],
                )
            await locked.go_to_state(steps[0].number, steps[0], f"redo {steps[0].action}")
            return await _undone(locked, steps[0])


def _no_notes_warning(count: int) -> list[str] | None:
    return None if count else ["Nothing changed: there are no notes in this range."]


def _nothing_edited_warning(count: int, selection: Selection, change: NoteEdit) -> list[str] | None:
    if not count and selection.tracks and not any(change.concerns(track.is_drums) for track in selection.tracks):
        return ["Nothing changed: drums are not transposed."]
    return _no_notes_warning(count)


def _unchanged_warning(unchanged: bool) -> list[str] | None:
    return ["Nothing changed: the values are the same."] if unchanged else None


async def _undone(locked: LockedSong, step: UndoStep) -> Undone:
    can_undo, can_redo = await locked.steps()
    return Undone(
        **song_identity(locked.row),
        action=step.action,
        undo_steps_left=len(can_undo),
        redo_steps_left=len(can_redo),
        note_count=locked.row.note_count,
    )
