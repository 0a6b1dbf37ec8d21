"""Tempo changes and program changes: shown, edited, copied, undone, exported."""

import io
from fractions import Fraction
from typing import Any

import mido
import pytest

from consort_compose.songs.document.song import Section, Song, Track, ValueChange
from consort_compose.songs.models.checks import CheckSong
from consort_compose.songs.models.common import SongRequest
from consort_compose.songs.models.sections import AddSection, CopySection
from consort_compose.songs.models.songs import CreateSong, EditSong, GetSongInfo, SongInfo, UndoLastAction
from consort_compose.songs.models.tracks import EditTrack
from consort_compose.songs.notes.note_text import read_note_text
from consort_compose.songs.storage.chunks import make_chunks
from consort_compose.songs.storage.store import SongStore
from consort_kit.ids import new_id
from consort_music.errors import MusicError
from evaluation.checkers.midi_parts import timed_messages
from tests.support.song_services import SongServices

F = Fraction


def new_song(services: SongServices, **more: Any) -> str:
    answer = services.run(services.songs.create(CreateSong(tempo=120, tracks={"Lead": "flute"}, **more)))
    services.add_notes(answer.song_id, track="Lead", notes="C4 1 x32")
    return answer.song_id


def info(services: SongServices, song_id: str) -> SongInfo:
    return services.run(services.reader.info(GetSongInfo(song_id=song_id)))


def exported(services: SongServices, song_id: str, kind: str) -> list[tuple[float, Any]]:
    """Return the messages of one kind in the song's file, with their beats."""
    content = services.run(services.reader.midi_file(song_id)).content
    assert content is not None
    file = mido.MidiFile(file=io.BytesIO(content))
    return [(tick / file.ticks_per_beat, message) for tick, message in timed_messages(file, kind)]


def tempos(services: SongServices, song_id: str) -> list[tuple[float, int]]:
    return [(beat, round(mido.tempo2bpm(message.tempo))) for beat, message in exported(services, song_id, "set_tempo")]


def test_tempo_changes_are_set_shown_exported_and_undone(services: SongServices) -> None:
    song_id = new_song(services)
    assert info(services, song_id).tempo_changes is None and info(services, song_id).duration_s == 16
    services.run(services.editor.edit_song(EditSong(song_id=song_id, tempo_changes="8 + 1/3: 60, 16: 240")))
    assert info(services, song_id).tempo_changes == "25/3: 60, 16: 240"
    assert info(services, song_id).duration_s == round(25 / 6 + 23 / 3 + 4, 3)
    assert tempos(services, song_id) == [(0, 120), (pytest.approx(25 / 3), 60), (16, 240)]
    answer = services.run(services.editor.edit_song(EditSong(song_id=song_id, tempo=90)))
    assert answer.warnings == [
        'The tempo holds up to the first of 2 tempo changes. To remove them: edit_song with tempo_changes "".'
    ]
    services.run(services.editor.edit_song(EditSong(song_id=song_id, tempo_changes="")))
    assert tempos(services, song_id) == [(0, 90)]
    for _ in range(2):
        services.run(services.editor.undo(UndoLastAction(song_id=song_id)))
    assert tempos(services, song_id) == [(0, 120), (pytest.approx(25 / 3), 60), (16, 240)]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        *((text, "tempo_changes") for text in ("16", "16: fast", "16: 2", "16: 1001", "x: 90", "-1: 90")),
        ("0: 90", "tempo"),
    ],
)
def test_invalid_tempo_change_is_rejected_with_an_example(services: SongServices, given: str, field: str) -> None:
    with pytest.raises(MusicError) as caught:
        services.run(services.editor.edit_song(EditSong(song_id=new_song(services), tempo_changes=given)))
    assert caught.value.field == field and caught.value.suggestions


def test_tempo_of_a_section_overrides_tempo_changes(services: SongServices) -> None:
    song_id = new_song(services)
    services.run(services.editor.edit_song(EditSong(song_id=song_id, tempo_changes="2: 60, 10: 200, 20: 80")))
    services.run(services.editor.add_section(AddSection(song_id=song_id, name="A", start_measure=1, end_measure=2)))
    assert tempos(services, song_id) == [
        (0, 120),
        (2, 60),
        (10, 200),
        (20, 80),
    ]  # a section without tempo does not change the tempo
    services.run(
        services.editor.add_section(AddSection(song_id=song_id, name="B", start_measure=3, end_measure=4, tempo=100))
    )
    assert tempos(services, song_id) == [(0, 120), (2, 60), (8, 100), (16, 200), (20, 80)]
    tempos_of_sections = {
        section.name: section.tempo
        for section in services.run(services.reader.sections(SongRequest(song_id=song_id))).sections
    }
    assert tempos_of_sections == {"A": 120, "B": 100}


def test_copied_section_copies_tempo_changes(services: SongServices) -> None:
    song_id = new_song(services, sections=[{"name": "A", "start_measure": 2, "end_measure": 3}])
    services.run(services.editor.edit_song(EditSong(song_id=song_id, tempo_changes="2: 60, 6: 70, 18: 200")))
    services.run(services.editor.copy_section(CopySection(song_id=song_id, name="A", to_measure=5, new_name="A2")))
    assert tempos(services, song_id) == [(0, 120), (2, 60), (6, 70), (16, 60), (18, 70), (24, 200)]
    services.run(services.editor.undo(UndoLastAction(song_id=song_id)))
    assert tempos(services, song_id) == [(0, 120), (2, 60), (6, 70), (18, 200)]


def test_program_changes_are_shown_checked_copied_and_replaced(services: SongServices) -> None:
    """From bar 2 on, the flute becomes a tuba, for which the notes are too high."""
    tuba, flute = 58, 73
    song = Song(
        "T",
        tracks=(
            Track(1, "Lead", flute, program_changes=(ValueChange(F(4), tuba),)),
            Track(2, "Kit", None, program_changes=(ValueChange(F(0), 8),)),
        ),
        sections=(Section("A", 1, 1), Section("B", 2, 2), Section("C", 3, 3)),
    )
    notes = {1: read_note_text("C6 1 x8").notes, 2: read_note_text("kick x4").notes}
    song_id = new_id("song")
    chunks = [chunk for track, each in notes.items() for chunk in make_chunks(track, each)]
    services.run(SongStore(services.database, "services").create(song_id, song, chunks))
    tracks = services.run(services.reader.tracks(SongRequest(song_id=song_id))).tracks
    assert [track.instrument_changes for track in tracks] == ["4: Tuba", "0: kit 8"]
    problems = services.run(services.reader.check(CheckSong(song_id=song_id, kinds=["out_of_range"]))).problems
    assert [(problem.count, problem.message) for problem in problems] == [
        (4, "Notes are above the range of Tuba (D1 to F4).")
    ]
    services.run(services.editor.copy_section(CopySection(song_id=song_id, name="A", to_measure=3)))

    def programs() -> list[tuple[float, int]]:
        return [(beat, m.program) for beat, m in exported(services, song_id, "program_change") if m.channel != 9]

    assert programs() == [(0, flute), (4, tuba), (8, flute), (12, tuba)]
    assert [(beat, m.program) for beat, m in exported(services, song_id, "program_change") if m.channel == 9] == [
        (0, 8)
    ]
    services.run(services.editor.edit_track(EditTrack(song_id=song_id, name="Lead", instrument="oboe")))
    assert programs() == [(0, 68)]
