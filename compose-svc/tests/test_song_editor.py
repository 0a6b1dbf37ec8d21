"""Random edits beside a simple model in memory: notes, sections, undo and redo are the same after each step."""

import copy
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consort_compose.songs import chunks
from consort_compose.songs.models import (
    AddSection,
    AddTrack,
    CreateSong,
    GetSongInfo,
    RemoveSection,
    RemoveTrack,
    SongRequest,
    UndoLastAction,
)
from consort_compose.songs.note_models import (
    AddNotes,
    EditNotes,
    GetNotes,
    RemoveNotes,
)
from consort_kit.errors import ConsortError
from consort_music.beats import parse_beats
from consort_music.errors import MusicError
from tests.song_desk import Desk

F = Fraction
Tone = tuple[Fraction, int, Fraction, int]
TRACKS = ["A", "B", "C"]


@dataclass
class State:
    """What a song is, as simply as it can be said."""

    tracks: dict[str, list[Tone]] = field(default_factory=dict)
    sections: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass
class Model:
    """A list of whole copies, and a place in it."""

    history: list[State] = field(default_factory=lambda: [State()])
    place: int = 0

    @property
    def now(self) -> State:
        return self.history[self.place]

    def change(self) -> State:
        self.history = [*self.history[: self.place + 1], copy.deepcopy(self.now)][-11:]
        self.place = len(self.history) - 1
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


class Pair:
    """The real song and the model; each step is done to both, and both must refuse the same steps."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.model = Model()
        self.song_id = desk.run(desk.songs.create(CreateSong())).song_id
        self.version = 1

    def does(self, request: Any) -> bool:
        tools: dict[type[Any], Any] = {
            AddTrack: self.desk.editor.add_track,
            RemoveTrack: self.desk.editor.remove_track,
            AddNotes: self.desk.editor.add_notes,
            RemoveNotes: self.desk.editor.remove_notes,
            EditNotes: self.desk.editor.edit_notes,
            AddSection: self.desk.editor.add_section,
            RemoveSection: self.desk.editor.remove_section,
        }
        try:
            answer = self.desk.run(tools[type(request)](request))
        except (MusicError, ConsortError):
            return False
        assert answer.version in (self.version, self.version + 1)
        self.version = answer.version
        return True

    def add_track(self, name: str) -> None:
        fits = name not in self.model.now.tracks
        assert self.does(AddTrack(song_id=self.song_id, name=name, instrument="piano")) == fits
        if fits:
            self.model.change().tracks[name] = []

    def remove_track(self, name: str) -> None:
        fits = name in self.model.now.tracks
        assert self.does(RemoveTrack(song_id=self.song_id, name=name)) == fits
        if fits:
            del self.model.change().tracks[name]

    def add_notes(self, name: str, notes: list[Tone]) -> None:
        fits = name in self.model.now.tracks
        given_notes = [
            {"pitch": pitch, "start": str(start), "duration": str(length), "velocity": velocity}
            for start, pitch, length, velocity in notes
        ]
        assert self.does(AddNotes(song_id=self.song_id, track=name, notes=given_notes)) == fits
        if fits:
            self.model.change().tracks[name] += notes

    def remove_notes(self, name: str | None, span: tuple[Fraction, Fraction], highest: int) -> None:
        fits = name is None or name in self.model.now.tracks
        request = RemoveNotes(
            song_id=self.song_id, track=name, start_time=str(span[0]), end_time=str(span[1]), pitch=f"0-{highest}"
        )
        assert self.does(request) == fits
        gone = {
            track: [note for note in notes if span[0] <= note[0] < span[1] and note[1] <= highest]
            for track, notes in self.model.now.tracks.items()
            if name in (None, track)
        }
        if fits and any(gone.values()):
            state = self.model.change()
            for track, notes in gone.items():
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
        assert self.does(request) == fits
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
        assert self.does(request) == fits
        if fits:
            self.model.change().sections[name] = (first, last)

    def remove_section(self, name: str) -> None:
        fits = name in self.model.now.sections
        assert self.does(RemoveSection(song_id=self.song_id, name=name)) == fits
        if fits:
            del self.model.change().sections[name]

    def undo(self) -> None:
        self._go(self.desk.editor.undo, -1, "NOTHING_TO_UNDO")

    def redo(self) -> None:
        self._go(self.desk.editor.redo, 1, "NOTHING_TO_REDO")

    def _go(self, tool: Any, by: int, refusal: str) -> None:
        request = UndoLastAction(song_id=self.song_id)
        if 0 <= self.model.place + by < len(self.model.history):
            answer = self.desk.run(tool(request))
            self.version = answer.version
            self.model.place += by
            assert answer.undo_steps_left == self.model.place
            assert answer.redo_steps_left == len(self.model.history) - 1 - self.model.place
        else:
            with pytest.raises(ConsortError) as refused:
                self.desk.run(tool(request))
            assert refused.value.body.code == refusal

    def compare(self) -> None:
        page = self.desk.run(self.desk.editor.notes(GetNotes(song_id=self.song_id, format="objects", limit=2000)))
        found: dict[str, list[Tone]] = {name: [] for name in self.model.now.tracks}
        assert isinstance(page.notes, list)
        for note in page.notes:
            found[note.track].append((parse_beats(note.start), note.pitch, parse_beats(note.duration), note.velocity))
        assert {name: sorted(notes) for name, notes in self.model.now.tracks.items()} == found, "in order, too"
        assert page.note_count == sum(map(len, found.values()))
        assert page.version == self.version
        listed = self.desk.run(self.desk.editor.sections(SongRequest(song_id=self.song_id))).sections
        assert {s.name: (s.start_measure, s.end_measure) for s in listed} == self.model.now.sections
        info = self.desk.run(self.desk.songs.info(GetSongInfo(song_id=self.song_id)))
        assert info.note_count == page.note_count
        ends = [start + length for notes in found.values() for start, _, length, _ in notes]
        assert parse_beats(info.total_beats) == max(ends, default=0)


@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(st.lists(steps, min_size=5, max_size=20))
def test_any_edits_are_as_the_model_has_them(desk: Desk, todo: list[tuple[Any, ...]]) -> None:
    do_both(desk, todo)


@pytest.mark.long
@settings(max_examples=500, suppress_health_check=list(HealthCheck))
@given(st.lists(steps, min_size=20, max_size=60))
def test_many_more_edits(desk: Desk, todo: list[tuple[Any, ...]]) -> None:
    do_both(desk, todo)


def do_both(desk: Desk, todo: list[tuple[Any, ...]]) -> None:
    usual, chunks.USUAL_SIZE = chunks.USUAL_SIZE, 3  # so that a few notes are many chunks
    try:
        pair = Pair(desk)
        pair.add_track("A")
        for name, *arguments in todo:
            getattr(pair, name)(*arguments)
            pair.compare()
    finally:
        chunks.USUAL_SIZE = usual


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(
    st.lists(tones, min_size=1, max_size=40),
    st.none() | times,
    st.none() | times,
    st.integers(40, 60),
    st.integers(1, 9),
)
def test_pages_are_slices_of_what_fits(
    desk: Desk, notes: list[Tone], start: Fraction | None, end: Fraction | None, lowest: int, limit: int
) -> None:
    if end is not None and end <= (start or 0):
        return
    usual, chunks.USUAL_SIZE = chunks.USUAL_SIZE, 4
    try:
        pair = Pair(desk)
        pair.add_track("A")
        pair.add_notes("A", notes)
    finally:
        chunks.USUAL_SIZE = usual
    wanted = [note for note in sorted(notes) if (start or 0) <= note[0] and (end is None or note[0] < end)]
    wanted = [note for note in wanted if note[1] >= lowest]
    cursor: int | None = 0
    found: list[Tone] = []
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
        page = desk.run(desk.editor.notes(request))
        assert isinstance(page.notes, list) and len(page.notes) <= limit and page.note_count == len(wanted)
        found += [(parse_beats(n.start), n.pitch, parse_beats(n.duration), n.velocity) for n in page.notes]
        cursor = page.next_cursor
    assert found == wanted
