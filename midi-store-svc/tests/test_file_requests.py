"""What the file tools accept, and the small translations around them."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from consort_kit.errors import InvalidInput, TooLarge
from consort_kit.ids import new_id
from consort_midi_store.files.models import GetMidi, StoreMidi
from consort_midi_store.files.service import _decode


@given(st.binary(max_size=300), st.integers(1, 80))
def test_base64_comes_in_with_or_without_line_breaks(content: bytes, width: int) -> None:
    text = base64.b64encode(content).decode()
    wrapped = "\r\n".join(text[at : at + width] for at in range(0, len(text), width))
    assert _decode(text, 1000) == _decode(wrapped, 1000) == content


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
