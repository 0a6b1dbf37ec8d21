"""Tempo changes at any beat, and instruments that change in a track: shown, edited, copied, undone, exported."""

import io
from fractions import Fraction
from typing import Any

import mido
import pytest

from consort_compose.songs.chunks import chunks_of
from consort_compose.songs.models import (
    AddSection,
    CheckSong,
    CopySection,
    CreateSong,
    EditSong,
    EditTrack,
    GetSongInfo,
    SongInfo,
    SongRequest,
    UndoLastAction,
)
from consort_compose.songs.note_models import AddNotes
from consort_compose.songs.note_text import read_note_text
from consort_compose.songs.song import Change, Section, Song, Track
from consort_compose.songs.store import SongStore
from consort_kit.ids import new_id
from consort_music.errors import MusicError
from tests.song_desk import Desk

F = Fraction


def new_song(desk: Desk, **more: Any) -> str:
    answer = desk.run(desk.songs.create(CreateSong(tempo=120, tracks={"Lead": "flute"}, **more)))
    desk.run(desk.editor.add_notes(AddNotes(song_id=answer.song_id, track="Lead", notes="C4 1 x32")))
    return answer.song_id


def info(desk: Desk, song_id: str) -> SongInfo:
    return desk.run(desk.songs.info(GetSongInfo(song_id=song_id)))


def exported(desk: Desk, song_id: str, kind: str) -> list[tuple[float, Any]]:
    """Messages of one kind in the song's file, with their beats."""
    content = desk.run(desk.songs.midi_file(song_id)).content
    assert content is not None
    file = mido.MidiFile(file=io.BytesIO(content))
    found = []
    for track in file.tracks:
        tick = 0
        for message in track:
            tick += message.time
            if message.type == kind:
                found.append((tick / file.ticks_per_beat, message))
    return found


def tempos(desk: Desk, song_id: str) -> list[tuple[float, int]]:
    return [(beat, round(mido.tempo2bpm(message.tempo))) for beat, message in exported(desk, song_id, "set_tempo")]


def test_tempo_changes_are_set_shown_played_and_undone(desk: Desk) -> None:
    song_id = new_song(desk)
    assert info(desk, song_id).tempo_changes is None and info(desk, song_id).duration_s == 16
    desk.run(desk.editor.edit_song(EditSong(song_id=song_id, tempo_changes="8 + 1/3: 60, 16: 240")))
    assert info(desk, song_id).tempo_changes == "25/3: 60, 16: 240"
    assert info(desk, song_id).duration_s == round(25 / 6 + 23 / 3 + 4, 3)
    assert tempos(desk, song_id) == [(0, 120), (pytest.approx(25 / 3), 60), (16, 240)]
    answer = desk.run(desk.editor.edit_song(EditSong(song_id=song_id, tempo=90)))
    assert answer.warnings == [
        'The tempo holds up to the first of 2 tempo changes; edit_song with tempo_changes "" removes them.'
    ]
    desk.run(desk.editor.edit_song(EditSong(song_id=song_id, tempo_changes="")))
    assert tempos(desk, song_id) == [(0, 90)]
    for _ in range(2):
        desk.run(desk.editor.undo(UndoLastAction(song_id=song_id)))
    assert tempos(desk, song_id) == [(0, 120), (pytest.approx(25 / 3), 60), (16, 240)]


@pytest.mark.parametrize("given", ["16", "16: fast", "16: 2", "16: 1001", "0: 90", "x: 90", "-1: 90"])
def test_a_wrong_tempo_change_is_refused_with_an_example(desk: Desk, given: str) -> None:
    with pytest.raises(MusicError) as refused:
        desk.run(desk.editor.edit_song(EditSong(song_id=new_song(desk), tempo_changes=given)))
    assert refused.value.field in ("tempo_changes", "tempo") and refused.value.suggestions


def test_a_sections_own_tempo_holds_throughout_it(desk: Desk) -> None:
    song_id = new_song(desk)
    desk.run(desk.editor.edit_song(EditSong(song_id=song_id, tempo_changes="2: 60, 10: 200, 20: 80")))
    desk.run(desk.editor.add_section(AddSection(song_id=song_id, name="A", start_measure=1, end_measure=2)))
    assert tempos(desk, song_id) == [(0, 120), (2, 60), (10, 200), (20, 80)]  # a name alone changes no tempo
    desk.run(desk.editor.add_section(AddSection(song_id=song_id, name="B", start_measure=3, end_measure=4, tempo=100)))
    assert tempos(desk, song_id) == [(0, 120), (2, 60), (8, 100), (16, 200), (20, 80)]
    told = {
        section.name: section.tempo for section in desk.run(desk.editor.sections(SongRequest(song_id=song_id))).sections
    }
    assert told == {"A": 120, "B": 100}


def test_a_new_section_takes_the_tempo_changes_of_the_section_that_it_copies(desk: Desk) -> None:
    song_id = new_song(desk, sections=[{"name": "A", "start_measure": 2, "end_measure": 3}])
    desk.run(desk.editor.edit_song(EditSong(song_id=song_id, tempo_changes="2: 60, 6: 70, 18: 200")))
    desk.run(desk.editor.copy_section(CopySection(song_id=song_id, name="A", to_measure=5, new_name="A2")))
    assert tempos(desk, song_id) == [(0, 120), (2, 60), (6, 70), (16, 60), (18, 70), (24, 200)]
    desk.run(desk.editor.undo(UndoLastAction(song_id=song_id)))
    assert tempos(desk, song_id) == [(0, 120), (2, 60), (6, 70), (18, 200)]


def test_instruments_that_change_are_shown_checked_copied_and_replaced(desk: Desk) -> None:
    """From bar 2 on the flute is a tuba, for which the notes are too high."""
    tuba, flute = 58, 73
    song = Song(
        "T",
        tracks=(
            Track(1, "Lead", flute, program_changes=(Change(F(4), tuba),)),
            Track(2, "Kit", None, program_changes=(Change(F(0), 8),)),
        ),
        sections=(Section("A", 1, 1), Section("B", 2, 2), Section("C", 3, 3)),
    )
    notes = {1: read_note_text("C6 1 x8").notes, 2: read_note_text("kick x4").notes}
    song_id = new_id("song")
    chunks = [chunk for track, each in notes.items() for chunk in chunks_of(track, each)]
    desk.run(SongStore(desk.database, "desk").create(song_id, song, chunks))
    told = desk.run(desk.editor.tracks(SongRequest(song_id=song_id))).tracks
    assert [track.instrument_changes for track in told] == ["4: Tuba", "0: kit 8"]
    problems = desk.run(desk.songs.check(CheckSong(song_id=song_id, kinds=["out_of_range"]))).problems
    assert [(problem.count, problem.message) for problem in problems] == [
        (4, "Notes are above the range of a Tuba (D1 to F4).")
    ]
    desk.run(desk.editor.copy_section(CopySection(song_id=song_id, name="A", to_measure=3)))

    def programs() -> list[tuple[float, int]]:
        return [(beat, m.program) for beat, m in exported(desk, song_id, "program_change") if m.channel != 9]

    assert programs() == [(0, flute), (4, tuba), (8, flute), (12, tuba)]
    assert [(beat, m.program) for beat, m in exported(desk, song_id, "program_change") if m.channel == 9] == [(0, 8)]
    desk.run(desk.editor.edit_track(EditTrack(song_id=song_id, name="Lead", instrument="oboe")))
    assert programs() == [(0, 68)]
