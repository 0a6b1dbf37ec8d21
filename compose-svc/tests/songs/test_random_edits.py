"""Random edits, undo and redo, compared after each step with a simple model in memory."""

import copy
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from consort_compose.songs.models.common import SongRequest
from consort_compose.songs.models.notes import AddNotes, EditNotes, GetNotes, RemoveNotes
from consort_compose.songs.models.sections import AddSection, RemoveSection
from consort_compose.songs.models.songs import CreateSong, GetSongInfo, UndoLastAction
from consort_compose.songs.models.tracks import AddTrack, RemoveTrack
from consort_compose.songs.storage import chunks
from consort_kit.errors import ConsortError
from consort_music.beats import parse_beats
from consort_music.errors import MusicError
from tests.support.song_services import SongServices

F = Fraction
NoteTuple = tuple[Fraction, int, Fraction, int]
TRACKS = ["A", "B", "C"]


@dataclass
class ModelState:
    """Tracks and sections of a song as plain dictionaries."""

    tracks: dict[str, list[NoteTuple]] = field(default_factory=dict)
    sections: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass
class SongModel:
    """The expected song: a list of full copies, and the index of the current one."""

    history: list[ModelState] = field(default_factory=lambda: [ModelState()])
    index: int = 0

    @property
    def now(self) -> ModelState:
        return self.history[self.index]

    def change(self) -> ModelState:
        self.history = [*self.history[: self.index + 1], copy.deepcopy(self.now)][-11:]
        self.index = len(self.history) - 1
        return self.now


times = st.builds(Fraction, st.integers(0, 40), st.sampled_from([1, 2, 3, 7]))
lengths = st.builds(Fraction, st.integers(1, 9), st.sampled_from([1, 3, 4]))
thirds = st.builds(Fraction, st.integers(-6, 6), st.just(3))
tones = st.tuples(times, st.integers(40, 60), lengths, st.integers(1, 127))
names = st.sampled_from(TRACKS)
ranges = st.tuples(times, times).filter(lambda pair: pair[0] < pair[1])
steps = st.one_of(
    st.tuples(st.just("add_track"), names),
    st.tuples(st.just("add_notes"), names, st.lists(tones, min_size=1, max_size=8)),
    st.tuples(st.just("add_notes"), names, st.lists(tones, min_size=1, max_size=8)),
    st.tuples(st.just("remove_notes"), st.none() | names, ranges, st.integers(40, 60)),
    st.tuples(st.just("edit_notes"), names, ranges, thirds, st.integers(-3, 3)),
    st.tuples(st.just("remove_track"), names),
    st.tuples(st.just("add_section"), st.sampled_from("xyz"), st.integers(1, 9), st.integers(1, 9)),
    st.tuples(st.just("remove_section"), st.sampled_from("xyz")),
    st.tuples(st.just("undo")),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
)


class SongAndModel:
    """A stored song and its model. Each step is applied to both, and both must reject the same steps."""

    def __init__(self, services: SongServices) -> None:
        self.services = services
        self.model = SongModel()
        self.song_id = services.run(services.songs.create(CreateSong())).song_id
        self.version = 1

    def succeeds(self, request: Any, changes: bool = True) -> bool:
        """Send a request; return whether it succeeded. A change increases the version by one."""
        tools: dict[type[Any], Any] = {
            AddTrack: self.services.editor.add_track,
            RemoveTrack: self.services.editor.remove_track,
            AddNotes: self.services.editor.add_notes,
            RemoveNotes: self.services.editor.remove_notes,
            EditNotes: self.services.editor.edit_notes,
            AddSection: self.services.editor.add_section,
            RemoveSection: self.services.editor.remove_section,
        }
        try:
            answer = self.services.run(tools[type(request)](request))
        except (MusicError, ConsortError):
            return False
        assert answer.version == self.version + changes
        self.version = answer.version
        return True

    def add_track(self, name: str) -> None:
        fits = name not in self.model.now.tracks
        assert self.succeeds(AddTrack(song_id=self.song_id, name=name, instrument="piano")) == fits
        if fits:
            self.model.change().tracks[name] = []

    def remove_track(self, name: str) -> None:
        fits = name in self.model.now.tracks
        assert self.succeeds(RemoveTrack(song_id=self.song_id, name=name)) == fits
        if fits:
            del self.model.change().tracks[name]

    def add_notes(self, name: str, notes: list[NoteTuple]) -> None:
        fits = name in self.model.now.tracks
        given_notes = [
            {"pitch": pitch, "start": str(start), "duration": str(length), "velocity": velocity}
            for start, pitch, length, velocity in notes
        ]
        assert self.succeeds(AddNotes(song_id=self.song_id, track=name, notes=given_notes)) == fits
        if fits:
            self.model.change().tracks[name] += notes

    def remove_notes(self, name: str | None, span: tuple[Fraction, Fraction], highest: int) -> None:
        fits = name is None or name in self.model.now.tracks
        request = RemoveNotes(
            song_id=self.song_id, track=name, start_time=str(span[0]), end_time=str(span[1]), pitch=f"0-{highest}"
        )
        removed = {
            track: [note for note in notes if span[0] <= note[0] < span[1] and note[1] <= highest]
            for track, notes in self.model.now.tracks.items()
            if name in (None, track)
        }
        assert self.succeeds(request, changes=any(removed.values())) == fits
        if fits and any(removed.values()):
            state = self.model.change()
            for track, notes in removed.items():
                for note in notes:
                    state.tracks[track].remove(note)

    def edit_notes(self, name: str, span: tuple[Fraction, Fraction], move: Fraction, up: int) -> None:
        known = self.model.now.tracks.get(name, [])
        chosen = [note for note in known if span[0] <= note[0] < span[1]]
        fits = name in self.model.now.tracks and (move != 0 or up != 0) and all(note[0] + move >= 0 for note in chosen)
        request = EditNotes(
            song_id=self.song_id,
            track=name,
            start_time=str(span[0]),
            end_time=str(span[1]),
            move_by=str(move),
            transpose=up,
        )
        assert self.succeeds(request, changes=bool(chosen)) == fits
        if fits and chosen:
            notes = self.model.change().tracks[name]
            for start, pitch, length, velocity in chosen:
                notes.remove((start, pitch, length, velocity))
                notes.append((start + move, pitch + up, length, velocity))

    def add_section(self, name: str, first: int, last: int) -> None:
        sections = self.model.now.sections
        overlaps = any(first <= end and start <= last for start, end in sections.values())
        fits = first <= last and name not in sections and not overlaps
        request = AddSection(song_id=self.song_id, name=name, start_measure=first, end_measure=last)
        assert self.succeeds(request) == fits
        if fits:
            self.model.change().sections[name] = (first, last)

    def remove_section(self, name: str) -> None:
        fits = name in self.model.now.sections
        assert self.succeeds(RemoveSection(song_id=self.song_id, name=name)) == fits
        if fits:
            del self.model.change().sections[name]

    def undo(self) -> None:
        self._move(self.services.editor.undo, -1, "NOTHING_TO_UNDO")

    def redo(self) -> None:
        self._move(self.services.editor.redo, 1, "NOTHING_TO_REDO")

    def _move(self, tool: Any, by: int, code: str) -> None:
        request = UndoLastAction(song_id=self.song_id)
        if 0 <= self.model.index + by < len(self.model.history):
            answer = self.services.run(tool(request))
            self.version = answer.version
            self.model.index += by
            assert answer.undo_steps_left == self.model.index
            assert answer.redo_steps_left == len(self.model.history) - 1 - self.model.index
        else:
            with pytest.raises(MusicError) as caught:
                self.services.run(tool(request))
            assert caught.value.code == code

    def compare(self) -> None:
        """Assert that the stored song equals the model."""
        page = self.services.run(
            self.services.reader.notes(GetNotes(song_id=self.song_id, format="objects", limit=2000))
        )
        found: dict[str, list[NoteTuple]] = {name: [] for name in self.model.now.tracks}
        assert isinstance(page.notes, list)
        for note in page.notes:
            found[note.track].append((parse_beats(note.start), note.pitch, parse_beats(note.duration), note.velocity))
        assert {name: sorted(notes) for name, notes in self.model.now.tracks.items()} == found, "sorted by start"
        assert page.note_count == sum(map(len, found.values()))
        assert page.version == self.version
        listed = self.services.run(self.services.reader.sections(SongRequest(song_id=self.song_id))).sections
        assert {s.name: (s.start_measure, s.end_measure) for s in listed} == self.model.now.sections
        info = self.services.run(self.services.reader.info(GetSongInfo(song_id=self.song_id)))
        assert info.note_count == page.note_count
        ends = [start + length for notes in found.values() for start, _, length, _ in notes]
        assert parse_beats(info.total_beats) == max(ends, default=0)


@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(st.lists(steps, min_size=5, max_size=20))
def test_random_edits_agree_with_the_model(services: SongServices, todo: list[tuple[Any, ...]]) -> None:
    run_steps(services, todo)


@pytest.mark.long
@settings(max_examples=500, suppress_health_check=list(HealthCheck))
@given(st.lists(steps, min_size=20, max_size=60))
def test_many_random_edits_agree_with_the_model(services: SongServices, todo: list[tuple[Any, ...]]) -> None:
    run_steps(services, todo)


def run_steps(services: SongServices, todo: list[tuple[Any, ...]]) -> None:
    usual, chunks.CHUNK_SIZE = chunks.CHUNK_SIZE, 3  # so that a few notes make many chunks
    try:
        pair = SongAndModel(services)
        pair.add_track("A")
        for name, *arguments in todo:
            getattr(pair, name)(*arguments)
            pair.compare()
    finally:
        chunks.CHUNK_SIZE = usual


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(
    st.lists(tones, min_size=1, max_size=40),
    st.none() | times,
    st.none() | times,
    st.integers(40, 60),
    st.integers(1, 9),
)
def test_pages_are_slices_of_the_selected_notes(
    services: SongServices,
    notes: list[NoteTuple],
    start: Fraction | None,
    end: Fraction | None,
    lowest: int,
    limit: int,
) -> None:
    assume(end is None or end > (start or 0))
    usual, chunks.CHUNK_SIZE = chunks.CHUNK_SIZE, 4
    try:
        pair = SongAndModel(services)
        pair.add_track("A")
        pair.add_notes("A", notes)
    finally:
        chunks.CHUNK_SIZE = usual
    wanted = [note for note in sorted(notes) if (start or 0) <= note[0] and (end is None or note[0] < end)]
    wanted = [note for note in wanted if note[1] >= lowest]
    cursor: int | None = 0
    found: list[NoteTuple] = []
    while cursor is not None:
        request = GetNotes(
            song_id=pair.song_id,
            start_time=str(start) if start is not None else None,
            end_time=str(end) if end is not None else None,
            pitch=f"{lowest}-127",
            format="objects",
            limit=limit,
            cursor=cursor,
        )
        page = services.run(services.reader.notes(request))
        assert isinstance(page.notes, list) and len(page.notes) <= limit and page.note_count == len(wanted)
        found += [(parse_beats(n.start), n.pitch, parse_beats(n.duration), n.velocity) for n in page.notes]
        cursor = page.next_cursor
    assert found == wanted
