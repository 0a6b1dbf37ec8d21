"""Inputs of the tools for files, file names, and Base64."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from consort_kit.errors import InvalidInput, TooLarge
from consort_kit.ids import new_id
from consort_midi_store.files.models import DeleteMidi, GetMidi, MidiSource, StoreMidi
from consort_midi_store.files.names import first_free_name, with_suffix
from consort_midi_store.files.sources import decode_file
from consort_music.midi.file_names import title_from_name


@given(st.binary(max_size=300), st.integers(1, 80))
def test_base64_may_have_line_breaks(content: bytes, width: int) -> None:
    text = base64.b64encode(content).decode()
    wrapped = "\r\n".join(text[at : at + width] for at in range(0, len(text), width))
    assert decode_file(text, 1000) == decode_file(wrapped, 1000) == content


def test_the_prefix_of_a_data_url_is_removed() -> None:
    assert decode_file("data:audio/midi;base64,Zm9v", 1000) == b"foo"
    with pytest.raises(InvalidInput):
        decode_file("data:audio/midi,Zm9v", 1000)


@pytest.mark.parametrize(("name", "exported"), [("final", "final.mid"), ("final.mid", "final.mid"), ("a.kar", "a.kar")])
def test_an_exported_file_has_a_suffix(name: str, exported: str) -> None:
    assert with_suffix(name) == exported


@pytest.mark.parametrize("text", ["a", "ab=c", "****", "Zm9v!"])
def test_invalid_base64_is_rejected(text: str) -> None:
    with pytest.raises(InvalidInput) as error:
        decode_file(text, 1000)
    assert error.value.body.code == "INVALID_BASE64" and error.value.body.field == "base64"


def test_too_much_base64_is_rejected() -> None:
    with pytest.raises(TooLarge):
        decode_file("A" * 4000, 1000)


@pytest.mark.parametrize("given", [{}, {"base64": "", "path": "a"}, {"base64": "", "upload_link": True}])
def test_exactly_one_source_must_be_given(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="exactly one"):
        StoreMidi.model_validate(given)


@pytest.mark.parametrize("spelling", ["midi_file_id", "file_id", "fileId", "midiFileId"])
def test_the_id_may_be_spelled_in_several_ways(spelling: str) -> None:
    midi_file_id = new_id("midi")
    assert GetMidi.model_validate({spelling: midi_file_id}).midi_file_id == midi_file_id


@pytest.mark.parametrize("kind", ["midi", "song", "score"])
@pytest.mark.parametrize("spelling", ["midi_file_id", "song_id", "score_id", "songId"])
def test_any_music_id_is_accepted_under_any_of_its_names(kind: str, spelling: str) -> None:
    music_id = new_id(kind)
    assert GetMidi.model_validate({spelling: music_id}).midi_file_id == music_id
    assert MidiSource.model_validate({spelling: music_id}).midi_file_id == music_id


@pytest.mark.parametrize(("kind", "says"), [("song", "delete_song"), ("score", "30 days")])
@pytest.mark.parametrize("spelling", ["midi_file_id", "song_id"])
def test_delete_midi_rejects_songs_and_scores(kind: str, says: str, spelling: str) -> None:
    with pytest.raises(ValidationError, match=says):
        DeleteMidi.model_validate({spelling: new_id(kind)})


@pytest.mark.parametrize(
    ("taken", "free"),
    [
        ([], "Rain.mid"),
        (["Rain.mid"], "Rain 2.mid"),
        (["rain.MID", "Rain 2.mid", "Rain 4.mid"], "Rain 3.mid"),
        (["Rain 2.mid"], "Rain.mid"),
    ],
)
def test_a_taken_name_gets_the_first_free_number(taken: list[str], free: str) -> None:
    assert first_free_name("Rain", "", ".mid", taken) == free


@pytest.mark.parametrize(("name", "title"), [("a.mid", "a"), ("a.b.KAR", "a.b"), ("Op. 9", "Op. 9"), ("x", "x")])
def test_the_title_is_the_name_without_its_suffix(name: str, title: str) -> None:
    assert title_from_name(name) == title


def test_the_source_may_be_a_nested_object() -> None:
    midi_file_id = new_id("midi")
    nested = MidiSource.model_validate({"source": {"fileId": midi_file_id}})
    assert (nested.midi_file_id, nested.given) == (midi_file_id, "midi_file_id")
    assert MidiSource.model_validate({"source": {"base64": "AAAA"}}).given == "base64"
    with pytest.raises(ValidationError, match="exactly one"):
        MidiSource.model_validate({"source": {"base64": "AAAA"}, "path": "a.mid"})
