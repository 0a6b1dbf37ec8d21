"""Repair a badly played MIDI file: look at it, make it a song, quantize, transpose, undo, engrave and export it."""

import io
import random

import mido
import pytest

from consort_kit.ids import new_id
from tests.support.journey import TRANSPORTS, journey
from tests.support.midi_files import as_base64, midi_bytes
from tests.support.servers.studio import Studio

SCALE = [62, 64, 65, 67, 69, 70, 72, 74]
"""D minor."""
NOTES = SCALE + SCALE[::-1] + SCALE + SCALE[::-1]
EIGHTH = 240
TOUCH = 30
"""A key that was touched by accident: F#1."""


def messy_file() -> bytes:
    """Return four bars of eighths in 4/4, each up to 40 ticks early or late, with a note of one tick beside them."""
    dice = random.Random(3)
    events = [(EIGHTH, "note_on", TOUCH), (EIGHTH + 1, "note_off", TOUCH)]
    for place, pitch in enumerate(NOTES):
        start = max(0, place * EIGHTH + dice.randint(-40, 40))
        events += [(start, "note_on", pitch), (start + 190, "note_off", pitch)]
    now, track = 0, []
    for tick, kind, pitch in sorted(events):
        track.append(mido.Message(kind, note=pitch, velocity=70, time=tick - now))
        now = tick
    return midi_bytes(track)


def starts(file: mido.MidiFile) -> list[tuple[int, int]]:
    """Return the tick and the pitch of each note."""
    found = []
    for track in file.tracks:
        now = 0
        for message in track:
            now += message.time
            if message.type == "note_on" and message.velocity:
                found.append((now, message.note))
    return sorted(found)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_messy_file_becomes_a_clean_sheet(studio: Studio, transport: str) -> None:
    name = f"take {new_id('t')[-6:]}"
    with journey(studio, transport) as assistant:
        stored = assistant.call("store_midi", base64=as_base64(messy_file()), name=f"{name}.mid")
        before = assistant.call("get_midi", midi_file_id=stored["midi_file_id"])
        assert before["metadata"]["note_count"] == len(NOTES) + 1
        assert assistant.picture("render_piano_roll", midi_file_id=stored["midi_file_id"])[0] == "image/png"
        song = assistant.call("create_song", midi_file_id=stored["midi_file_id"], title=name, key="Dm")
        its = {"song_id": song["song_id"]}
        (found,) = assistant.call("check_song", **its)["problems"]
        assert "F#1" in str(found) and found["kind"] == "outside_key"
        assistant.call("remove_notes_in_range", first_bar=1, pitch="F#1", **its)
        assistant.call("edit_notes", quantize="1/8", duration="1/2", **its)
        before_transposing = assistant.call("get_notes", **its)["notes"]
        assistant.call("edit_notes", transpose=5, **its)
        assistant.call("undo_last_action", **its)
        assert assistant.call("get_notes", **its)["notes"] == before_transposing

        sheet = assistant.picture("midi_to_notation", midi_file_id=song["song_id"])[1]
        assert sheet["key"] == "D minor" and sheet["bar_count"] == 4
        assert sheet["bars"][0]["written"] == "D4:e E4:e F4:e G4:e A4:e Bb4:e C5:e D5:e"
        exported = assistant.call("song_export_midi", filepath=f"{name} clean.mid", **its)
        content = studio.exported(f"{name} clean.mid")
        assert assistant.download(exported["download_url"]) == content
        file = mido.MidiFile(file=io.BytesIO(content))
        eighth = file.ticks_per_beat // 2
        assert starts(file) == [(place * eighth, pitch) for place, pitch in enumerate(NOTES)]
        original = mido.MidiFile(file=io.BytesIO(assistant.download(before["download_url"])))
        assert len(starts(original)) == len(NOTES) + 1, "the imported file stays as it was"
        assert len(assistant.tools) == 13 and assistant.text_bytes < 9_000
