"""What the file tools accept, and the small translations around them."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from consort_kit.errors import InvalidInput, TooLarge
from consort_kit.ids import new_id
from consort_kit.sandbox import title_from_name
from consort_midi_store.files.models import DeleteMidi, GetMidi, MidiSource, StoreMidi
from consort_midi_store.files.names import first_free, with_suffix
from consort_midi_store.files.sources import decoded_file


@given(st.binary(max_size=300), st.integers(1, 80))
def test_base64_comes_in_with_or_without_line_breaks(content: bytes, width: int) -> None:
    text = base64.b64encode(content).decode()
    wrapped = "\r\n".join(text[at : at + width] for at in range(0, len(text), width))
    assert decoded_file(text, 1000) == decoded_file(wrapped, 1000) == content


def test_what_browsers_write_before_base64_is_taken_off() -> None:
    assert decoded_file("data:audio/midi;base64,Zm9v", 1000) == b"foo"
    with pytest.raises(InvalidInput):
        decoded_file("data:audio/midi,Zm9v", 1000)


@pytest.mark.parametrize(("name", "exported"), [("final", "final.mid"), ("final.mid", "final.mid"), ("a.kar", "a.kar")])
def test_an_exported_file_has_a_suffix(name: str, exported: str) -> None:
    assert with_suffix(name) == exported


@pytest.mark.parametrize("text", ["a", "ab=c", "****", "Zm9v!"])
def test_what_is_not_base64_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        decoded_file(text, 1000)
    assert refused.value.body.code == "INVALID_BASE64" and refused.value.body.field == "base64"


def test_too_much_base64_is_refused_before_it_is_decoded() -> None:
    with pytest.raises(TooLarge):
        decoded_file("A" * 4000, 1000)


@pytest.mark.parametrize("given", [{}, {"base64": "", "path": "a"}, {"base64": "", "upload_link": True}])
def test_exactly_one_source(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="exactly one"):
        StoreMidi.model_validate(given)


@pytest.mark.parametrize("spelling", ["midi_file_id", "file_id", "fileId", "midiFileId"])
def test_spellings_of_the_id(spelling: str) -> None:
    midi_file_id = new_id("midi")
    assert GetMidi.model_validate({spelling: midi_file_id}).midi_file_id == midi_file_id


@pytest.mark.parametrize("kind", ["midi", "song", "score"])
@pytest.mark.parametrize("spelling", ["midi_file_id", "song_id", "score_id", "songId"])
def test_any_music_id_by_any_of_its_names(kind: str, spelling: str) -> None:
    music_id = new_id(kind)
    assert GetMidi.model_validate({spelling: music_id}).midi_file_id == music_id
    assert MidiSource.model_validate({spelling: music_id}).midi_file_id == music_id


@pytest.mark.parametrize(("kind", "says"), [("song", "delete_song"), ("score", "30 days")])
@pytest.mark.parametrize("spelling", ["midi_file_id", "song_id"])
def test_only_a_file_can_be_deleted_as_one(kind: str, says: str, spelling: str) -> None:
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
def test_a_number_only_where_two_names_would_be_alike(taken: list[str], free: str) -> None:
    assert first_free("Rain.mid", taken) == free


@pytest.mark.parametrize(("name", "title"), [("a.mid", "a"), ("a.b.KAR", "a.b"), ("Op. 9", "Op. 9"), ("x", "x")])
def test_title_of_a_file(name: str, title: str) -> None:
    assert title_from_name(name) == title


def test_the_source_may_be_an_object_of_its_own_as_document_002_has_it() -> None:
    midi_file_id = new_id("midi")
    nested = MidiSource.model_validate({"source": {"fileId": midi_file_id}})
    assert (nested.midi_file_id, nested.given) == (midi_file_id, "midi_file_id")
    assert MidiSource.model_validate({"source": {"base64": "AAAA"}}).given == "base64"
    with pytest.raises(ValidationError, match="exactly one"):
        MidiSource.model_validate({"source": {"base64": "AAAA"}, "path": "a.mid"})
