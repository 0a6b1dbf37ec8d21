"""add_notes and set_chords with a composed score: its parts go to tracks, its chords are planned."""

from fractions import Fraction
from typing import Any

import pytest

from consort_compose.songs.models.chords import SetChords
from consort_compose.songs.models.common import SongRequest
from consort_compose.songs.models.songs import CreateSong, GetSongInfo, UndoLastAction
from consort_music.chords.timed_chords import ChordMark
from consort_music.errors import MusicError
from consort_music.metre import Metre
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score
from tests.support.song_services import SongServices


def part(name: str, pitch: str, count: int = 8, instrument: str | None = None) -> Part:
    return Part.of(name, [Note(Fraction(beat), Fraction(1), Pitch.parse(pitch)) for beat in range(count)], instrument)


def marks(*chords: tuple[int, str]) -> tuple[ChordMark, ...]:
    return tuple(ChordMark(Fraction(beat), symbol) for beat, symbol in chords)


def store_score(services: SongServices, *parts: Part, **fields: Any) -> str:
    return services.run(services.scores.keep(Score(parts, **fields)))


def new_song(services: SongServices, **tracks: str) -> str:
    return services.run(services.songs.create(CreateSong(tracks=tracks))).song_id


def chords_of(services: SongServices, song_id: str) -> str | None:
    rows = services.run(services.reader.info(GetSongInfo(song_id=song_id, overview=True))).overview
    assert rows
    return rows[0].chords


def test_parts_go_to_their_tracks(services: SongServices) -> None:
    song_id = new_song(services, Flute="Flute", Low="Cello")
    score_id = store_score(services, part("melody", "E5"), part("bass", "C3"), chords=marks((0, "C"), (4, "G7")))
    added = services.add_notes(song_id, score_id=score_id, parts={"Melody": "Flute", "2": "low"})
    assert [(each.track, each.note_count) for each in added.tracks] == [("Flute", 8), ("Low", 8)]
    assert (added.planned_chords, added.new_tracks, added.warnings) == (2, None, None)
    assert services.notes_text(song_id) == {"Flute": "; ".join(["E5"] * 8), "Low": "; ".join(["C3"] * 8)}
    assert chords_of(services, song_id) == "C G7"
    services.run(services.editor.undo(UndoLastAction(song_id=song_id)))
    assert services.notes_text(song_id) == {}
    assert services.run(services.reader.info(GetSongInfo(song_id=song_id))).chord_count == 0, "one step"


def test_missing_track_is_added_if_named_after_an_instrument(services: SongServices) -> None:
    song_id = new_song(services)
    score_id = store_score(services, part("melody", "E5"), part("bass", "C3", instrument="Tuba"), part("inner", "G4"))
    added = services.add_notes(
        song_id, score_id=score_id, parts={"melody": "Flute", "bass": "Ground", "inner": "Flute"}
    )
    assert added.new_tracks == ["Flute: Flute", "Ground: Tuba"]
    made = services.run(services.reader.tracks(SongRequest(song_id=song_id))).tracks
    assert [(track.name, track.instrument, track.note_count) for track in made] == [
        ("Flute", "Flute", 16),
        ("Ground", "Tuba", 8),
    ]


def test_warning_lists_parts_that_were_left_out(services: SongServices) -> None:
    song_id = new_song(services, Lead="Flute")
    added = services.add_notes(
        song_id, score_id=store_score(services, part("a", "C4"), part("b", "E4")), parts={"b": "Lead"}
    )
    assert added.added == 8 and added.warnings == ["These parts of the score were not added: a."]


@pytest.mark.parametrize(
    ("fields", "code", "field", "message"),
    [
        ({"parts": {"viola": "Lead"}}, "UNKNOWN_PART", "parts.viola", "Its parts are 1 'soprano', 2 'alto', 3 'bass'"),
        ({"parts": {"4": "Lead"}}, "UNKNOWN_PART", "parts.4", "no part '4'"),
        ({"parts": {"alto": "Nobody"}}, "UNKNOWN_TRACK", "parts.alto", "no track 'Nobody' (there are: alto, Lead)"),
        ({}, "UNKNOWN_TRACK", "track", "no track 'soprano', 'bass'"),
        ({"parts": {"alto": "Lead"}, "track": "Lead"}, "INVALID_INPUT", "parts", "not both"),
        ({"parts": {"alto": "Lead"}, "score_id": None, "notes": {"Lead": "C4"}}, "INVALID_INPUT", "parts", "score_id"),
    ],
)
def test_invalid_parts_are_rejected(
    services: SongServices, fields: dict[str, Any], code: str, field: str, message: str
) -> None:
    song_id = new_song(services, alto="Choir Aahs", Lead="Flute")
    score_id = store_score(services, part("soprano", "E5"), part("alto", "C5"), part("bass", "C3"))
    with pytest.raises(MusicError) as caught:
        services.add_notes(song_id, **{"score_id": score_id, **fields})
    assert (caught.value.code, caught.value.field) == (code, field)
    assert message in caught.value.message and caught.value.suggestions
    assert services.notes_text(song_id) == {}


def test_chords_of_a_score_are_planned(services: SongServices) -> None:
    song_id = new_song(services, Lead="Flute")
    score_id = store_score(
        services,
        part("Lead", "G4", 9),
        metres=((Fraction(0), Metre(4, 4)),),
        chords=marks((0, "G"), (1, "C"), (5, "D7/F#")),
        pickup=Fraction(1),
    )
    services.run(services.editor.set_chords(SetChords(song_id=song_id, chords="Am")))
    assert services.add_notes(song_id, score_id=score_id, first_bar=3).planned_chords == 3
    assert chords_of(services, song_id) == "Am G C D7/F#"
    assert services.add_notes(song_id, score_id=score_id, first_bar=3).planned_chords is None, "they are there already"


def test_planned_chords_stay_unless_replaced(services: SongServices) -> None:
    song_id = new_song(services, Lead="Flute")
    score_id = store_score(services, part("Lead", "G4"), chords=marks((0, "G"), (4, "D7")))
    services.run(services.editor.set_chords(SetChords(song_id=song_id, chords="Am | Am | Am")))
    added = services.add_notes(song_id, score_id=score_id)
    assert added.planned_chords is None and chords_of(services, song_id) == "Am Am"
    assert added.warnings and f'"chords": "{score_id}"' in added.warnings[0]
    replaced = services.add_notes(song_id, score_id=score_id, replace=True)
    assert (replaced.planned_chords, replaced.removed_notes, replaced.warnings) == (2, 8, None)
    assert chords_of(services, song_id) == "G D7"
    assert services.run(services.reader.info(GetSongInfo(song_id=song_id))).chord_count == 3, (
        "after the score they stay"
    )


def test_notes_are_added_even_if_a_chord_symbol_is_invalid(services: SongServices) -> None:
    song_id = new_song(services, Lead="Flute")
    added = services.add_notes(song_id, score_id=store_score(services, part("Lead", "G4"), chords=marks((0, "what?"))))
    assert added.added == 8 and added.planned_chords is None
    assert added.warnings and "The score's chords were not planned" in added.warnings[0]


def test_set_chords_rejects_a_score_without_chords(services: SongServices) -> None:
    song_id = new_song(services, Lead="Flute")
    bare = store_score(services, part("Lead", "G4"))
    assert services.add_notes(song_id, score_id=bare).warnings is None
    with pytest.raises(MusicError, match="analyze_harmony"):
        services.run(services.editor.set_chords(SetChords(song_id=song_id, chords=bare)))
