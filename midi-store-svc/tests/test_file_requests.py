"""What the file tools accept, and the small translations around them."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from consort_kit.errors import InvalidInput, TooLarge
from consort_kit.ids import new_id
from consort_midi_store.files.models import GetMidi, MidiSource, StoreMidi
from consort_midi_store.files.service import _decode, _with_suffix


@given(st.binary(max_size=300), st.integers(1, 80))
def test_base64_comes_in_with_or_without_line_breaks(content: bytes, width: int) -> None:
    text = base64.b64encode(content).decode()
    wrapped = "\r\n".join(text[at : at + width] for at in range(0, len(text), width))
    assert _decode(text, 1000) == _decode(wrapped, 1000) == content


def test_what_browsers_write_before_base64_is_taken_off() -> None:
    assert _decode("data:audio/midi;base64,Zm9v", 1000) == b"foo"
    with pytest.raises(InvalidInput):
        _decode("data:audio/midi,Zm9v", 1000)


@pytest.mark.parametrize(("name", "exported"), [("final", "final.mid"), ("final.mid", "final.mid"), ("a.kar", "a.kar")])
def test_an_exported_file_has_a_suffix(name: str, exported: str) -> None:
    assert _with_suffix(name) == exported


@pytest.mark.parametrize("text", ["a", "ab=c", "****", "Zm9v!"])
def test_what_is_not_base64_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        _decode(text, 1000)
    assert refused.value.body.code == "INVALID_BASE64" and refused.value.body.field == "base64"


def test_too_much_base64_is_refused_before_it_is_decoded() -> None:
    with pytest.raises(TooLarge):
        _decode("A" * 4000, 1000)


@pytest.mark.parametrize("given", [{}, {"base64": "", "path": "a"}, {"base64": "", "upload_link": True}])
def test_exactly_one_source(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="exactly one"):
        StoreMidi.model_validate(given)


@pytest.mark.parametrize("spelling", ["midi_file_id", "file_id", "fileId", "midiFileId"])
def test_spellings_of_the_id(spelling: str) -> None:
    midi_file_id = new_id("midi")
    assert GetMidi.model_validate({spelling: midi_file_id}).midi_file_id == midi_file_id


def test_the_source_may_be_an_object_of_its_own_as_document_002_has_it() -> None:
    midi_file_id = new_id("midi")
    nested = MidiSource.model_validate({"source": {"fileId": midi_file_id}})
    assert (nested.midi_file_id, nested.given) == (midi_file_id, "midi_file_id")
    assert MidiSource.model_validate({"source": {"base64": "AAAA"}}).given == "base64"
    with pytest.raises(ValidationError, match="exactly one"):
        MidiSource.model_validate({"source": {"base64": "AAAA"}, "path": "a.mid"})
