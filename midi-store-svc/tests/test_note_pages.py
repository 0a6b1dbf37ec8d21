"""read_midi_notes: the selected notes, and the errors if a selection is impossible."""

from typing import Any

import pytest

from consort_midi_store.midi_text.models import ReadMidiNotes
from consort_midi_store.midi_text.note_pages import MidiNotePage, NoteQuery, read_note_page
from consort_music.errors import MusicError
from consort_music.midi.model import META, META_KEY_SIGNATURE, MidiFile
from consort_music.midi.writer import write_midi
from tests.support.transform_inputs import PPQ, end, name, off, on


def page(**selection: Any) -> MidiNotePage:
    track = [
        event
        for beat, pitch in enumerate((60, 64, 67))
        for event in (on(beat * PPQ, pitch), off((beat + 1) * PPQ, pitch))
    ]
    content = write_midi(MidiFile(1, PPQ, [[name("Lead"), *track, end(3 * PPQ)]]))
    request = ReadMidiNotes.model_validate({"base64": "", **selection})
    return read_note_page(content, 10_000, request.query())


@pytest.mark.parametrize(
    ("selection", "pitches"),
    [
        ({}, ["C4", "E4", "G4"]),
        ({"start_beat": 1, "end_beat": 2}, ["E4"]),
        ({"first_bar": 1, "last_bar": 1}, ["C4", "E4", "G4"]),
        ({"last_bar": 9}, ["C4", "E4", "G4"]),
        ({"lowest": "E4"}, ["E4", "G4"]),
        ({"lowest": 61, "highest": 66}, ["E4"]),
        ({"limit": 1, "cursor": 2}, ["G4"]),
        ({"tracks": ["lead"]}, ["C4", "E4", "G4"]),
    ],
)
def test_the_selected_notes_are_returned(selection: dict[str, Any], pitches: list[str]) -> None:
    assert [note.pitch for note in page(**{"format": "objects", **selection}).notes or []] == pitches


@pytest.mark.parametrize(
    ("selection", "code", "field"),
    [
        ({"start_beat": 2, "end_beat": 2}, "END_BEFORE_START", "end_beat"),
        ({"first_bar": 2}, "INVALID_BARS", "first_bar"),
        ({"first_bar": 2, "last_bar": 1}, "INVALID_BARS", "last_bar"),
        ({"first_bar": 1, "end_beat": 4}, "INVALID_INPUT", "start_beat"),
        ({"lowest": "C5", "highest": "C4"}, "INVALID_PITCH", "highest"),
        ({"highest": "H2"}, "INVALID_PITCH", "highest"),
        ({"lowest": 128}, "INVALID_PITCH", "lowest"),
        ({"tracks": [1]}, "UNKNOWN_TRACK", "tracks"),
        ({"tracks": ["Flute"]}, "UNKNOWN_TRACK", "tracks"),
    ],
)
def test_an_impossible_selection_is_rejected(selection: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(MusicError) as error:
        page(**selection)
    assert (error.value.code, error.value.field) == (code, field) and error.value.suggestions


@pytest.mark.parametrize("form", ["objects", "text"])
def test_notes_are_spelled_in_the_key_at_their_time(form: str) -> None:
    keys = [(tick, META, bytes([META_KEY_SIGNATURE, sharps % 256, 0])) for tick, sharps in ((0, -1), (PPQ, 2))]
    notes = [on(0, 70), off(PPQ, 70), on(PPQ, 70), off(2 * PPQ, 70)]
    content = write_midi(MidiFile(1, PPQ, [[keys[0], *notes[:2], keys[1], *notes[2:], end(2 * PPQ)]]))
    answer = read_note_page(content, 10_000, NoteQuery(as_text=form == "text"))
    spelled = [note.pitch for note in answer.notes or []] or [
        line[:3] for line in (answer.text or "").splitlines()[-2:]
    ]
    assert spelled == ["Bb4", "A#4"]


def test_notes_of_zero_length_give_a_warning_in_text() -> None:
    content = write_midi(MidiFile(1, PPQ, [[on(0, 60), off(0, 60), end(PPQ)]]))
    answer = read_note_page(content, 10_000, NoteQuery(as_text=True))
    assert f"C4 80 0 1/{PPQ}" in (answer.text or "")
    assert answer.warnings == ["1 note of zero length is written one tick long."]
