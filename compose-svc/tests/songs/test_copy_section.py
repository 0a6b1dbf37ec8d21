"""copy_section: notes already at the target, chords and keys."""

import io
from typing import Any

import mido
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consort_compose.songs.models.checks import CheckSong
from consort_compose.songs.models.chords import SetChords
from consort_compose.songs.models.sections import CopySection, SectionCopied
from consort_compose.songs.models.songs import CreateSong, GetSongInfo, UndoLastAction
from consort_music.errors import MusicError
from consort_music.keys import parse_key
from tests.support.song_services import SongServices

VERSE = {"name": "Verse", "start_measure": 1, "end_measure": 2}


def new_song(services: SongServices, key: str | None = "C", chords: str | None = "C | G7", **fields: Any) -> str:
    body = {
        "tracks": {"Lead": "Flute", "Bass": "Acoustic Bass", "Kit": "drums"},
        "key": key,
        "sections": [VERSE],
        **fields,
    }
    song_id = services.run(services.songs.create(CreateSong.model_validate(body))).song_id
    notes = {"Lead": "E4 1; G4; C5 2; F4 1; G4; B4 2", "Bass": "C2 4; G2", "Kit": "kick 1 x8"}
    services.add_notes(song_id, notes={k: v for k, v in notes.items() if k in body["tracks"]})
    if chords:
        services.run(services.editor.set_chords(SetChords(song_id=song_id, chords=chords)))
    return song_id


def copy(services: SongServices, song_id: str, **fields: Any) -> SectionCopied:
    request = CopySection(song_id=song_id, **{"name": "Verse", "to_measure": 3, **fields})
    return services.run(services.editor.copy_section(request))


def plan(services: SongServices, song_id: str) -> str | None:
    """Return the planned chords of each section, and of bars without a section."""
    rows = services.run(services.reader.info(GetSongInfo(song_id=song_id, overview=True))).overview
    assert rows is not None
    return " | ".join(row.chords or "-" for row in rows)


def test_warning_counts_notes_that_the_copy_doubles(services: SongServices) -> None:
    song_id = new_song(services)
    assert copy(services, song_id, new_name="Verse 2").warnings is None
    again = copy(services, song_id)
    assert again.warnings == [
        "Bars 3 to 4 already had 16 notes in these tracks, which now sound together with the copy; 16 notes are there"
        " twice. To remove them: undo_last_action, then copy_section with replace: true."
    ]
    services.run(services.editor.undo(UndoLastAction(song_id=song_id)))
    replaced = copy(services, song_id, replace=True)
    assert (replaced.warnings, replaced.removed_notes, replaced.copied_notes) == (None, 16, 16)
    assert services.notes_text(song_id, first_bar=3, last_bar=4) == services.notes_text(
        song_id, first_bar=1, last_bar=2
    )


def test_no_warning_about_notes_of_other_tracks(services: SongServices) -> None:
    song_id = new_song(services)
    services.add_notes(song_id, notes={"Kit": "snare x4"}, first_bar=3)
    assert copy(services, song_id, tracks=["Lead"]).warnings is None
    warned = copy(services, song_id, tracks=["Kit", "Bass"], new_name="Two").warnings
    assert warned and "4 notes" in warned[0] and "twice" not in warned[0]


def test_copy_of_some_tracks_copies_the_chords(services: SongServices) -> None:
    song_id = new_song(services)
    copied = copy(services, song_id, tracks=["Lead", "Bass"], new_name="Verse 2", key="D")
    assert copied.transposed == 2 and plan(services, song_id) == "C G7 | D A7"
    checked = services.run(services.reader.check(CheckSong(song_id=song_id, kinds=["outside_chord", "outside_key"])))
    assert checked.problems == []


def test_copy_of_some_tracks_keeps_planned_chords(services: SongServices) -> None:
    song_id = new_song(services)
    services.run(services.editor.set_chords(SetChords(song_id=song_id, chords="Am | F", measure=3)))
    copied = copy(services, song_id, tracks=["Lead"], new_name="Verse 2", replace=True)
    assert plan(services, song_id) == "C G7 | Am F"
    assert copied.warnings == [
        "The chords planned in bars 3 to 4 were kept (Am, F); the copied section has C, G7. To copy the chords"
        " too, copy without tracks."
    ]
    assert copy(services, song_id, tracks=["Bass"]).warnings == copied.warnings
    everything = copy(services, song_id, replace=True)
    assert everything.warnings is None and plan(services, song_id) == "C G7 | C G7"


def test_chord_from_before_the_section_is_copied(services: SongServices) -> None:
    song_id = new_song(
        services, chords="C | % | F", sections=[VERSE, {"name": "B", "start_measure": 2, "end_measure": 2}][1:]
    )
    services.run(
        services.editor.set_chords(
            SetChords(song_id=song_id, chords=[{"symbol": "C", "start": 0}, {"symbol": "F", "start": 8}])
        )
    )
    copy(services, song_id, name="B", to_measure=4, new_name="B2", key="D")
    chords = services.run(services.reader.info(GetSongInfo(song_id=song_id))).chord_count
    assert chords == 3 and plan(services, song_id).endswith("D")  # type: ignore[union-attr]


def test_chord_that_held_after_the_copied_bars_still_holds(services: SongServices) -> None:
    song_id = new_song(services)
    longer = {"Lead": "A4 4 x4"}
    services.add_notes(song_id, notes=longer, first_bar=3)
    chords = [{"symbol": "C", "start": 0}, {"symbol": "G7", "start": 4}, {"symbol": "Am", "start": 8}]
    services.run(services.editor.set_chords(SetChords(song_id=song_id, chords=chords)))
    copy(services, song_id, replace=True)
    assert plan(services, song_id) == "C G7 | C G7 Am"


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
def test_transposed_copy_gets_a_section_in_the_new_key(
    services: SongServices, key: str, semitones: int, result: str
) -> None:
    song_id = new_song(services, key=key)
    copied = copy(services, song_id, new_name="Up", transpose=semitones)
    assert copied.section is not None and copied.section.key == result


def test_midi_file_has_the_key_signature_of_the_copy(services: SongServices) -> None:
    song_id = new_song(services, key="Dm")
    copy(services, song_id, transpose=2)
    content = services.run(services.reader.midi_file(song_id)).content
    assert content is not None
    file = mido.MidiFile(file=io.BytesIO(content))
    assert [message.key for message in file.tracks[0] if message.type == "key_signature"] == ["Dm", "Em"]


@settings(max_examples=30, suppress_health_check=list(HealthCheck), deadline=None)
@given(
    st.sampled_from(["C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]),
    st.sampled_from(["major", "minor", "dorian"]),
    st.integers(-14, 14),
)
def test_key_after_transposition_is_easy_to_read(services: SongServices, tonic: str, mode: str, semitones: int) -> None:
    song_id = new_song(services, key=f"{tonic} {mode}")
    copied = copy(services, song_id, new_name="Up", transpose=semitones)
    assert copied.section is not None and copied.section.key is not None
    before, after = parse_key(f"{tonic} {mode}"), parse_key(copied.section.key)
    assert (after.tonic - before.tonic - semitones) % 12 == 0 and after.mode == before.mode
    assert abs(after.sharps) <= 7 if semitones % 12 else after == before


def test_transposed_copy_without_name_gets_a_section(services: SongServices) -> None:
    song_id = new_song(services)
    copied = copy(services, song_id, transpose=2)
    assert copied.section is not None and (copied.section.name, copied.section.key) == ("Verse in D major", "D major")
    assert copied.transposed == 2 and plan(services, song_id) == "C G7 | D A7"


def test_existing_section_keeps_its_key_with_a_warning(services: SongServices) -> None:
    song_id = new_song(services, sections=[VERSE, {"name": "Next", "start_measure": 3, "end_measure": 6}])
    copied = copy(services, song_id, transpose=2)
    assert copied.section is None
    assert copied.warnings == [
        "The copy is in D major, but bar 3 is in C: the section 'Next' keeps its key. To change it, use edit_section."
    ]
    other = new_song(services, sections=[VERSE, {"name": "Next", "start_measure": 3, "end_measure": 6, "key": "D"}])
    assert copy(services, other, transpose=2).warnings is None


def test_transposed_drums_need_no_section(services: SongServices) -> None:
    song_id = new_song(services, tracks={"Kit": "drums"}, chords=None)
    assert copy(services, song_id, transpose=2).section is None
    named = copy(services, song_id, transpose=2, to_measure=5, new_name="B").section
    assert named is not None and named.key == "C"
    band = new_song(services)
    only_kit = copy(services, band, transpose=2, tracks=["Kit"], new_name="B").section
    assert only_kit is not None and only_kit.key == "C"


def test_given_key_overrides_the_transposed_key(services: SongServices) -> None:
    copied = copy(services, new_song(services), transpose=12, key="Am", new_name="B")
    assert copied.section is not None and (copied.section.key, copied.transposed) == ("Am", 12)


def test_song_without_key_stays_without_key(services: SongServices) -> None:
    copied = copy(services, new_song(services, key=None), transpose=2)
    assert copied.section is None and copied.warnings is None


def test_overlap_error_suggests_a_free_bar(services: SongServices) -> None:
    song_id = new_song(services, sections=[VERSE, {"name": "Next", "start_measure": 3, "end_measure": 6}])
    with pytest.raises(MusicError) as caught:
        copy(services, song_id, new_name="Two")
    assert (caught.value.code, caught.value.field) == ("SECTION_OVERLAP", "to_measure")
    assert caught.value.suggestions == ["to_measure: 7"]
