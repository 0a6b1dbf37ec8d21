"""A composed score in a song by one call: its parts go to tracks, and its chords are planned."""

from fractions import Fraction
from typing import Any

import pytest

from consort_compose.songs.models import (
    CreateSong,
    GetSongInfo,
    SetChords,
    SongRequest,
    UndoLastAction,
)
from consort_compose.songs.note_models import AddNotes, GetNotes
from consort_music.chords.layout import ChordMark
from consort_music.errors import MusicError
from consort_music.metre import Metre
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score
from tests.song_desk import Desk


def part(name: str, pitch: str, count: int = 8, instrument: str | None = None) -> Part:
    return Part.of(name, [Note(Fraction(beat), Fraction(1), Pitch.parse(pitch)) for beat in range(count)], instrument)


def marks(*chords: tuple[int, str]) -> tuple[ChordMark, ...]:
    return tuple(ChordMark(Fraction(beat), symbol) for beat, symbol in chords)


def kept(desk: Desk, *parts: Part, **fields: Any) -> str:
    return desk.run(desk.scores.keep(Score(parts, **fields)))


def new_song(desk: Desk, **tracks: str) -> str:
    return desk.run(desk.songs.create(CreateSong(tracks=tracks))).song_id


def add(desk: Desk, song_id: str, **fields: Any) -> Any:
    return desk.run(desk.editor.add_notes(AddNotes(song_id=song_id, **fields)))


def text_of(desk: Desk, song_id: str) -> Any:
    return desk.run(desk.editor.notes(GetNotes(song_id=song_id))).notes


def chords_of(desk: Desk, song_id: str) -> str | None:
    rows = desk.run(desk.songs.info(GetSongInfo(song_id=song_id, overview=True))).overview
    assert rows
    return rows[0].chords


def test_parts_go_to_the_tracks_named_for_them(desk: Desk) -> None:
    song_id = new_song(desk, Flute="Flute", Low="Cello")
    score_id = kept(desk, part("melody", "E5"), part("bass", "C3"), chords=marks((0, "C"), (4, "G7")))
    added = add(desk, song_id, score_id=score_id, parts={"Melody": "Flute", "2": "low"})
    assert [(each.track, each.note_count) for each in added.tracks] == [("Flute", 8), ("Low", 8)]
    assert (added.planned_chords, added.new_tracks, added.warnings) == (2, None, None)
    assert text_of(desk, song_id) == {"Flute": "; ".join(["E5"] * 8), "Low": "; ".join(["C3"] * 8)}
    assert chords_of(desk, song_id) == "C G7"
    desk.run(desk.editor.undo(UndoLastAction(song_id=song_id)))
    assert text_of(desk, song_id) == {}
    assert desk.run(desk.songs.info(GetSongInfo(song_id=song_id))).chord_count == 0, "one step"


def test_a_track_that_is_missing_is_made_if_it_is_named_after_an_instrument(desk: Desk) -> None:
    song_id = new_song(desk)
    score_id = kept(desk, part("melody", "E5"), part("bass", "C3", instrument="Tuba"), part("inner", "G4"))
    added = add(desk, song_id, score_id=score_id, parts={"melody": "Flute", "bass": "Ground", "inner": "Flute"})
    assert added.new_tracks == ["Flute: Flute", "Ground: Tuba"]
    made = desk.run(desk.editor.tracks(SongRequest(song_id=song_id))).tracks
    assert [(track.name, track.instrument, track.note_count) for track in made] == [
        ("Flute", "Flute", 16),
        ("Ground", "Tuba", 8),
    ]


def test_parts_that_are_not_named_are_left_out_and_told(desk: Desk) -> None:
    song_id = new_song(desk, Lead="Flute")
    added = add(desk, song_id, score_id=kept(desk, part("a", "C4"), part("b", "E4")), parts={"b": "Lead"})
    assert added.added == 8 and added.warnings == ["Parts that were not added: a."]


@pytest.mark.parametrize(
    ("fields", "code", "field", "message"),
    [
        ({"parts": {"viola": "Lead"}}, "UNKNOWN_PART", "parts.viola", "its parts are 1 'soprano', 2 'alto', 3 'bass'"),
        ({"parts": {"4": "Lead"}}, "UNKNOWN_PART", "parts.4", "no part '4'"),
        ({"parts": {"alto": "Nobody"}}, "UNKNOWN_TRACK", "parts.alto", "no track 'Nobody' (there are: alto, Lead)"),
        ({}, "UNKNOWN_TRACK", "track", "no track 'soprano', 'bass'"),
        ({"parts": {"alto": "Lead"}, "track": "Lead"}, "INVALID_INPUT", "parts", "not both"),
        ({"parts": {"alto": "Lead"}, "score_id": None, "notes": {"Lead": "C4"}}, "INVALID_INPUT", "parts", "score_id"),
    ],
)
def test_wrong_parts(desk: Desk, fields: dict[str, Any], code: str, field: str, message: str) -> None:
    song_id = new_song(desk, alto="Choir Aahs", Lead="Flute")
    score_id = kept(desk, part("soprano", "E5"), part("alto", "C5"), part("bass", "C3"))
    with pytest.raises(MusicError) as refused:
        add(desk, song_id, **{"score_id": score_id, **fields})
    assert (refused.value.code, refused.value.field) == (code, field)
    assert message in refused.value.message and refused.value.suggestions
    assert text_of(desk, song_id) == {}


def test_the_chords_of_a_score_are_planned_where_its_notes_are(desk: Desk) -> None:
    song_id = new_song(desk, Lead="Flute")
    score_id = kept(
        desk,
        part("Lead", "G4", 9),
        metres=((Fraction(0), Metre(4, 4)),),
        chords=marks((0, "G"), (1, "C"), (5, "D7/F#")),
        pickup=Fraction(1),
    )
    desk.run(desk.editor.set_chords(SetChords(song_id=song_id, chords="Am")))
    assert add(desk, song_id, score_id=score_id, first_bar=3).planned_chords == 3
    assert chords_of(desk, song_id) == "Am G C D7/F#"
    assert add(desk, song_id, score_id=score_id, first_bar=3).planned_chords is None, "they are there already"


def test_other_chords_of_the_song_stay_unless_they_are_replaced(desk: Desk) -> None:
    song_id = new_song(desk, Lead="Flute")
    score_id = kept(desk, part("Lead", "G4"), chords=marks((0, "G"), (4, "D7")))
    desk.run(desk.editor.set_chords(SetChords(song_id=song_id, chords="Am | Am | Am")))
    added = add(desk, song_id, score_id=score_id)
    assert added.planned_chords is None and chords_of(desk, song_id) == "Am Am"
    assert added.warnings and f'"chords": "{score_id}"' in added.warnings[0]
    replaced = add(desk, song_id, score_id=score_id, replace=True)
    assert (replaced.planned_chords, replaced.removed_notes, replaced.warnings) == (2, 8, None)
    assert chords_of(desk, song_id) == "G D7"
    assert desk.run(desk.songs.info(GetSongInfo(song_id=song_id))).chord_count == 3, "after the score they stay"


def test_symbols_that_nobody_can_read_do_not_keep_the_notes_out(desk: Desk) -> None:
    song_id = new_song(desk, Lead="Flute")
    added = add(desk, song_id, score_id=kept(desk, part("Lead", "G4"), chords=marks((0, "what?"))))
    assert added.added == 8 and added.planned_chords is None
    assert added.warnings and "The score's chords were not planned" in added.warnings[0]


def test_a_score_without_chords_cannot_be_a_plan(desk: Desk) -> None:
    song_id = new_song(desk, Lead="Flute")
    bare = kept(desk, part("Lead", "G4"))
    assert add(desk, song_id, score_id=bare).warnings is None
    with pytest.raises(MusicError, match="analyze_harmony"):
        desk.run(desk.editor.set_chords(SetChords(song_id=song_id, chords=bare)))
