"""Copies of sections: what they land on, which chords come along, and which key they are in."""

import io
from typing import Any

import mido
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consort_compose.songs.models import (
    CheckSong,
    CopySection,
    CreateSong,
    GetSongInfo,
    SectionCopied,
    SetChords,
    UndoLastAction,
)
from consort_compose.songs.note_models import AddNotes, GetNotes
from consort_music.errors import MusicError
from consort_music.keys import parse_key
from tests.song_desk import Desk

VERSE = {"name": "Verse", "start_measure": 1, "end_measure": 2}


def new_song(desk: Desk, key: str | None = "C", chords: str | None = "C | G7", **fields: Any) -> str:
    body = {
        "tracks": {"Lead": "Flute", "Bass": "Acoustic Bass", "Kit": "drums"},
        "key": key,
        "sections": [VERSE],
        **fields,
    }
    song_id = desk.run(desk.songs.create(CreateSong.model_validate(body))).song_id
    notes = {"Lead": "E4 1; G4; C5 2; F4 1; G4; B4 2", "Bass": "C2 4; G2", "Kit": "kick 1 x8"}
    desk.run(
        desk.editor.add_notes(AddNotes(song_id=song_id, notes={k: v for k, v in notes.items() if k in body["tracks"]}))
    )
    if chords:
        desk.run(desk.editor.set_chords(SetChords(song_id=song_id, chords=chords)))
    return song_id


def copy(desk: Desk, song_id: str, **fields: Any) -> SectionCopied:
    request = CopySection(song_id=song_id, **{"name": "Verse", "to_measure": 3, **fields})
    return desk.run(desk.editor.copy_section(request))


def plan(desk: Desk, song_id: str) -> str | None:
    """The chords of each section, and of the bars without one."""
    rows = desk.run(desk.songs.info(GetSongInfo(song_id=song_id, overview=True))).overview
    assert rows is not None
    return " | ".join(row.chords or "-" for row in rows)


def text_of(desk: Desk, song_id: str, **fields: Any) -> Any:
    return desk.run(desk.editor.notes(GetNotes(song_id=song_id, **fields))).notes


def test_a_copy_onto_notes_says_how_many_it_doubles(desk: Desk) -> None:
    song_id = new_song(desk)
    assert copy(desk, song_id, new_name="Verse 2").warnings is None
    again = copy(desk, song_id)
    assert again.warnings == [
        "Bars 3 to 4 already had 16 notes in these tracks, which now sound together with the copy; 16 notes are there"
        " twice. To remove what was there: undo_last_action, then copy_section with replace: true."
    ]
    desk.run(desk.editor.undo(UndoLastAction(song_id=song_id)))
    replaced = copy(desk, song_id, replace=True)
    assert (replaced.warnings, replaced.removed_notes, replaced.copied_notes) == (None, 16, 16)
    assert text_of(desk, song_id, first_bar=3, last_bar=4) == text_of(desk, song_id, first_bar=1, last_bar=2)


def test_notes_that_other_tracks_have_there_are_no_reason_to_warn(desk: Desk) -> None:
    song_id = new_song(desk)
    desk.run(desk.editor.add_notes(AddNotes(song_id=song_id, notes={"Kit": "snare x4"}, first_bar=3)))
    assert copy(desk, song_id, tracks=["Lead"]).warnings is None
    warned = copy(desk, song_id, tracks=["Kit", "Bass"], new_name="Two").warnings
    assert warned and "4 notes" in warned[0] and "twice" not in warned[0]


def test_some_tracks_bring_their_chords_too(desk: Desk) -> None:
    song_id = new_song(desk)
    copied = copy(desk, song_id, tracks=["Lead", "Bass"], new_name="Verse 2", key="D")
    assert copied.transposed == 2 and plan(desk, song_id) == "C G7 | D A7"
    checked = desk.run(desk.songs.check(CheckSong(song_id=song_id, kinds=["outside_chord", "outside_key"])))
    assert checked.problems == []


def test_chords_that_are_planned_there_stay_for_the_other_tracks(desk: Desk) -> None:
    song_id = new_song(desk)
    desk.run(desk.editor.set_chords(SetChords(song_id=song_id, chords="Am | F", measure=3)))
    copied = copy(desk, song_id, tracks=["Lead"], new_name="Verse 2", replace=True)
    assert plan(desk, song_id) == "C G7 | Am F"
    assert copied.warnings == [
        "The chords planned in bars 3 to 4 were kept (Am, F); the copied section has C, G7. Copy without tracks to copy"
        " the chords as well."
    ]
    assert copy(desk, song_id, tracks=["Bass"]).warnings == copied.warnings
    everything = copy(desk, song_id, replace=True)
    assert everything.warnings is None and plan(desk, song_id) == "C G7 | C G7"


def test_a_chord_that_holds_into_the_section_is_copied_with_it(desk: Desk) -> None:
    song_id = new_song(
        desk, chords="C | % | F", sections=[VERSE, {"name": "B", "start_measure": 2, "end_measure": 2}][1:]
    )
    desk.run(
        desk.editor.set_chords(
            SetChords(song_id=song_id, chords=[{"symbol": "C", "start": 0}, {"symbol": "F", "start": 8}])
        )
    )
    copy(desk, song_id, name="B", to_measure=4, new_name="B2", key="D")
    chords = desk.run(desk.songs.info(GetSongInfo(song_id=song_id))).chord_count
    assert chords == 3 and plan(desk, song_id).endswith("D")  # type: ignore[union-attr]


def test_a_chord_that_was_planned_on_beyond_the_copy_holds_on_behind_it(desk: Desk) -> None:
    song_id = new_song(desk)
    longer = {"Lead": "A4 4 x4"}
    desk.run(desk.editor.add_notes(AddNotes(song_id=song_id, notes=longer, first_bar=3)))
    chords = [{"symbol": "C", "start": 0}, {"symbol": "G7", "start": 4}, {"symbol": "Am", "start": 8}]
    desk.run(desk.editor.set_chords(SetChords(song_id=song_id, chords=chords)))
    copy(desk, song_id, replace=True)
    assert plan(desk, song_id) == "C G7 | C G7 Am"


@pytest.mark.parametrize(
    ("key", "semitones", "result"),
    [
        ("C", 2, "D major"),
        ("C", -1, "B major"),
        ("C", 1, "Db major"),
        ("Dm", 2, "E minor"),
        ("F#m", 1, "G minor"),
        ("E", 4, "Ab major"),
        ("A dorian", 3, "C dorian"),
        ("C", 12, "C"),
        ("Eb", -24, "Eb"),
        ("C", 14, "D major"),
    ],
)
def test_the_key_follows_a_transposition(desk: Desk, key: str, semitones: int, result: str) -> None:
    song_id = new_song(desk, key=key)
    copied = copy(desk, song_id, new_name="Up", transpose=semitones)
    assert copied.section is not None and copied.section.key == result


def test_the_file_has_the_key_signature_of_the_copy(desk: Desk) -> None:
    song_id = new_song(desk, key="Dm")
    copy(desk, song_id, transpose=2)
    content = desk.run(desk.songs.midi_file(song_id)).content
    assert content is not None
    file = mido.MidiFile(file=io.BytesIO(content))
    assert [message.key for message in file.tracks[0] if message.type == "key_signature"] == ["Dm", "Em"]


@settings(max_examples=30, suppress_health_check=list(HealthCheck), deadline=None)
@given(
    st.sampled_from(["C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]),
    st.sampled_from(["major", "minor", "dorian"]),
    st.integers(-14, 14),
)
def test_the_key_is_as_far_away_as_the_notes_and_easy_to_read(
    desk: Desk, tonic: str, mode: str, semitones: int
) -> None:
    song_id = new_song(desk, key=f"{tonic} {mode}")
    copied = copy(desk, song_id, new_name="Up", transpose=semitones)
    assert copied.section is not None and copied.section.key is not None
    before, after = parse_key(f"{tonic} {mode}"), parse_key(copied.section.key)
    assert (after.tonic - before.tonic - semitones) % 12 == 0 and after.mode == before.mode
    assert abs(after.sharps) <= 7 if semitones % 12 else after == before


def test_a_transposed_copy_without_a_name_gets_a_section_for_its_key(desk: Desk) -> None:
    song_id = new_song(desk)
    copied = copy(desk, song_id, transpose=2)
    assert copied.section is not None and (copied.section.name, copied.section.key) == ("Verse in D major", "D major")
    assert copied.transposed == 2 and plan(desk, song_id) == "C G7 | D A7"


def test_where_a_section_is_already_its_key_stays_and_that_is_said(desk: Desk) -> None:
    song_id = new_song(desk, sections=[VERSE, {"name": "Next", "start_measure": 3, "end_measure": 6}])
    copied = copy(desk, song_id, transpose=2)
    assert copied.section is None
    assert copied.warnings == [
        "The copy is in D major, but bar 3 is in C: the section 'Next' keeps its key. To change that: edit_section."
    ]
    other = new_song(desk, sections=[VERSE, {"name": "Next", "start_measure": 3, "end_measure": 6, "key": "D"}])
    assert copy(desk, other, transpose=2).warnings is None


def test_drums_have_no_key(desk: Desk) -> None:
    song_id = new_song(desk, tracks={"Kit": "drums"}, chords=None)
    assert copy(desk, song_id, transpose=2).section is None
    named = copy(desk, song_id, transpose=2, to_measure=5, new_name="B").section
    assert named is not None and named.key == "C"
    band = new_song(desk)
    only_kit = copy(desk, band, transpose=2, tracks=["Kit"], new_name="B").section
    assert only_kit is not None and only_kit.key == "C"


def test_a_key_that_is_given_wins(desk: Desk) -> None:
    copied = copy(desk, new_song(desk), transpose=12, key="Am", new_name="B")
    assert copied.section is not None and (copied.section.key, copied.transposed) == ("Am", 12)


def test_without_a_key_none_follows(desk: Desk) -> None:
    copied = copy(desk, new_song(desk, key=None), transpose=2)
    assert copied.section is None and copied.warnings is None


def test_overlapping_bars_are_answered_with_a_bar_that_is_free(desk: Desk) -> None:
    song_id = new_song(desk, sections=[VERSE, {"name": "Next", "start_measure": 3, "end_measure": 6}])
    with pytest.raises(MusicError) as refused:
        copy(desk, song_id, new_name="Two")
    assert (refused.value.code, refused.value.field) == ("SECTION_OVERLAP", "to_measure")
    assert refused.value.suggestions == ["to_measure: 7"]
