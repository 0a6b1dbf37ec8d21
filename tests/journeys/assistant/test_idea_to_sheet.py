"""From an idea to a sheet: a melody, its chords and a bass become a song, which is engraved, rendered and played."""

import io
import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

import mido
import pytest
import soundfile

from consort_cli.commands.agent import gateway_urls
from consort_kit.ids import new_id
from consort_kit.services import SERVICES
from evaluation.processes.jack import Receiver, running_jack
from evaluation.processes.playback_agent import AgentProcess
from tests.support.journey import TRANSPORTS, Journey, journey
from tests.support.servers.studio import Studio

BARS = 8


class WrittenSong(NamedTuple):
    song_id: str
    file: mido.MidiFile
    """The exported file, as it came over the download link."""
    chords: list[str]


def write_song(assistant: Journey) -> WrittenSong:
    """Write eight bars of a waltz with seven calls."""
    title = f"Waltz {new_id('w')[-6:]}"
    idea: dict[str, Any] = {"key": "D major", "time_signature": "3/4", "contour": "arch", "end_note": "D5"}
    melody = assistant.call("generate_melody", length_measures=BARS, seed=7, **idea)
    harmony = assistant.call("reharmonize", melody=melody["score_id"], style="pop", num_options=1)
    (best,) = harmony["data"]["harmonizations"]
    bars = [
        " ".join(chord for _, chord in bar)
        for _, bar in groupby(
            zip(best["positions"], best["chords"], strict=True), lambda each: each[0].partition(":")[0]
        )
    ]
    assert len(bars) == BARS
    voices = assistant.call(
        "add_voice",
        existing_voice=melody["score_id"],
        new_voice_type="bass",
        harmonic_context=" | ".join(bars),
        seed=1,
    )
    assert voices["data"]["voice_leading_analysis"]["parallel_fifths"] == []
    song = assistant.call(
        "create_song", title=title, key="D", time_signature="3/4", tempo=100, tracks={"Tune": "Flute", "Bass": "Cello"}
    )
    its = {"song_id": song["song_id"]}
    assistant.call("add_notes", score_id=voices["score_id"], parts={"melody": "Tune", "bass": "Bass"}, **its)
    assistant.call("set_chords", chords=best["score_id"], **its)
    exported = assistant.call("song_export_midi", name=f"{title}.mid", **its)
    file = mido.MidiFile(file=io.BytesIO(assistant.download(exported["download_url"])))
    return WrittenSong(song["song_id"], file, best["chords"])


def pitches(file: mido.MidiFile, name: str) -> list[int]:
    (track,) = (each for each in file.tracks if each.name == name)
    return [message.note for message in track if message.type == "note_on" and message.velocity]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_an_idea_becomes_a_sheet(studio: Studio, transport: str) -> None:
    with journey(studio, transport) as assistant:
        song = write_song(assistant)
        tune = pitches(song.file, "Tune")
        assert tune[-1] % 12 == 2, "it ends on D"
        assert max(pitches(song.file, "Bass")) < max(tune)
        assert song.file.length == pytest.approx(BARS * 3 * 60 / 100, abs=0.05)

        kind, sheet = assistant.picture("midi_to_notation", midi_file_id=song.song_id, files=["musicxml", "pdf"])
        assert kind == "image/png" and sheet["page_count"] == 1
        musicxml = assistant.download(sheet["musicxml_url"]).decode()
        assert musicxml.count("<measure ") == 2 * BARS
        assert musicxml.count("<harmony") == len([chord for chord, _ in groupby(song.chords)])
        assert assistant.download(sheet["pdf_url"]).startswith(b"%PDF")

        heard = assistant.call("midi_to_audio", midi_file_id=song.song_id, tail=1)
        sound, rate = soundfile.read(io.BytesIO(assistant.download(heard["download_url"])))
        assert len(sound) / rate == pytest.approx(song.file.length + 1, abs=0.2) and abs(sound).max() > 0.1
        assert assistant.tools[-2:] == ["midi_to_notation", "midi_to_audio"] and len(assistant.tools) == 9
        assert assistant.text_bytes < 9_000


class ConnectedDevice(NamedTuple):
    receiver: Receiver
    """A MIDI input on JACK."""
    settings: dict[str, str]
    """Settings for a gateway whose playback agent sees the input."""


@pytest.fixture
def device(studio: Studio, tmp_path: Any) -> Iterator[ConnectedDevice]:
    """Run JACK with a MIDI input, and a playback agent that reaches the studio through its gateway."""
    with running_jack() as server:
        door = gateway_urls(studio.port_base + SERVICES["playback"].port_offset)
        environment = {**server.environment, "CONSORT_SERVICE_URLS": door}
        receiver = Receiver(server)
        with AgentProcess(tmp_path, environment, studio.token) as agent:
            places = {"playback": f"http://127.0.0.1:{agent.port}"}
            yield ConnectedDevice(receiver, {"CONSORT_SERVICE_URLS": json.dumps(places)})
        receiver.close()


def test_a_song_is_played_on_a_midi_device(studio: Studio, device: ConnectedDevice) -> None:
    receiver = device.receiver
    with journey(studio, "stdio", **device.settings) as assistant:
        song = write_song(assistant)
        ports = assistant.call("list_devices")
        name = receiver.port.partition(":")[0]
        assert name in json.dumps(ports)
        assistant.call("playback_midi", midi_file_id=song.song_id, port_name=name, tempo_scale=20)
        expected = sorted(pitches(song.file, "Tune") + pitches(song.file, "Bass"))
        heard = [each.message for each in receiver.wait_for(2 * len(expected))]
        assert sorted(message[1] for message in heard if message[0] & 0xF0 == 0x90 and message[2]) == expected
        assert len(assistant.tools) == 9 and assistant.text_bytes < 8_000
