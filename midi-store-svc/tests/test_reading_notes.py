"""read_midi_notes: which notes are chosen, and what is said of a choice that cannot be."""

from typing import Any

import pytest

from consort_midi_store.text.models import MidiNotes, ReadMidiNotes
from consort_midi_store.text.notes import read_page
from consort_music.errors import MusicError
from consort_music.midi.model import META, META_KEY_SIGNATURE, MidiFile
from consort_music.midi.writer import write_midi
from tests.midi_tracks import PPQ, end, name, off, on


def page(**choice: Any) -> MidiNotes:
    track = [
        event
        for beat, pitch in enumerate((60, 64, 67))
        for event in (on(beat * PPQ, pitch), off((beat + 1) * PPQ, pitch))
    ]
    content = write_midi(MidiFile(1, PPQ, [[name("Lead"), *track, end(3 * PPQ)]]))
    request = ReadMidiNotes.model_validate({"base64": "", **choice})
    return read_page(content, 10_000, request.model_dump(exclude={"midi_file_id", "path", "base64"}))


@pytest.mark.parametrize(
    ("choice", "pitches"),
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
def test_the_notes_that_are_chosen(choice: dict[str, Any], pitches: list[str]) -> None:
    assert [note.pitch for note in page(**{"format": "objects", **choice}).notes or []] == pitches


@pytest.mark.parametrize(
    ("choice", "code", "field"),
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
def test_a_choice_that_cannot_be(choice: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(MusicError) as refused:
        page(**choice)
    assert (refused.value.code, refused.value.field) == (code, field) and refused.value.suggestions


@pytest.mark.parametrize("form", ["objects", "text"])
def test_notes_are_spelled_in_the_key_that_holds(form: str) -> None:
    keys = [(tick, META, bytes([META_KEY_SIGNATURE, sharps % 256, 0])) for tick, sharps in ((0, -1), (PPQ, 2))]
    notes = [on(0, 70), off(PPQ, 70), on(PPQ, 70), off(2 * PPQ, 70)]
    content = write_midi(MidiFile(1, PPQ, [[keys[0], *notes[:2], keys[1], *notes[2:], end(2 * PPQ)]]))
    answer = read_page(content, 10_000, ReadMidiNotes(base64="", format=form).model_dump())
    told = [note.pitch for note in answer.notes or []] or [line[:3] for line in (answer.text or "").splitlines()[-2:]]
    assert told == ["Bb4", "A#4"]


def test_notes_without_length_are_told_when_they_become_text() -> None:
    content = write_midi(MidiFile(1, PPQ, [[on(0, 60), off(0, 60), end(PPQ)]]))
    answer = read_page(content, 10_000, ReadMidiNotes(base64="", format="text").model_dump())
    assert f"C4 80 0 1/{PPQ}" in (answer.text or "")
    assert answer.warnings == ["1 notes of zero length are written one tick long."]
