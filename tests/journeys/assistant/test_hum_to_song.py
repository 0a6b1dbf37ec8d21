"""From a sung melody to a song: its notes, its key, its chords and an arrangement."""

import numpy as np
import pytest

from consort_audio.signals.recording import RATE
from consort_music.pitch import Pitch
from evaluation.sounds.voices import SungNote, sung
from tests.support.audio_files import as_base64, wav_bytes
from tests.support.journey import TRANSPORTS, journey
from tests.support.servers.studio import Studio

BEAT_S = 0.6
MELODY = [(53, 2), (53, 2), (60, 2), (60, 2), (62, 2), (62, 2), (60, 4)]
MELODY += [(58, 2), (58, 2), (57, 2), (57, 2), (55, 2), (55, 2), (53, 4)]
"""Pitches and eighth notes, in F major, as a low voice sings them."""


def singer() -> bytes:
    """Return a WAV file of the melody, sung with some vibrato and a short breath before each note."""
    now, notes = 0.05, []
    for pitch, eighths in MELODY:
        length = eighths * BEAT_S / 2
        notes.append(SungNote(now, now + length - 0.06, pitch))
        now += length
    sound = sung(notes, np.random.default_rng(5))
    return wav_bytes(np.asarray(0.5 * sound / np.abs(sound).max(), np.float32)[:, None], RATE)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_hummed_melody_becomes_a_song(studio: Studio, transport: str) -> None:
    with journey(studio, transport) as assistant:
        stored = assistant.call("store_audio", base64=as_base64(singer()), name=f"hum {transport}.wav")
        written = assistant.call(
            "transcribe_audio", audio_file_id=stored["audio_file_id"], instrument="voice", quantize="1/4"
        )
        assert written["note_count"] == len(MELODY)
        assert written["bpm"] == pytest.approx(60 / BEAT_S, abs=2)
        read = assistant.call("read_midi_notes", midi_file_id=written["midi_file_id"], format="objects")
        assert [Pitch.parse(note["pitch"]).midi for note in read["notes"]] == [pitch for pitch, _ in MELODY]

        key = assistant.call("detect_key", audio_file_id=stored["audio_file_id"])
        assert key["key"] == "F major"
        harmony = assistant.call(
            "reharmonize", melody=written["midi_file_id"], style="pop", key=key["key"], num_options=1
        )
        (best,) = harmony["data"]["harmonizations"]
        song = assistant.call("create_song", title=f"Hummed over {transport}", key=key["key"], tempo=100)
        its = {"song_id": song["song_id"]}
        assistant.call("add_track", name="Voice", instrument="Choir Aahs", **its)
        assistant.call("add_track", name="Piano", instrument="piano", **its)
        assistant.call("add_notes", score_id=best["score_id"], parts={"melody": "Voice", "keyboard": "Piano"}, **its)
        checked = assistant.call("check_song", kinds=["outside_key", "empty_track"], **its)
        assert not checked["counts"]
        sheet = assistant.picture("midi_to_notation", midi_file_id=song["song_id"])[1]
        assert best["chords"][-1] == "F" and sheet["key"] == "F major"
        assert len(assistant.tools) == 11 and assistant.text_bytes < 9_000
