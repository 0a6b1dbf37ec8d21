"""The tool midi_to_audio, with real services: music by id, jobs, links, equal requests and crashes."""

import base64
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
import soundfile

from tests.support.pitch_tracking import heard_notes, read_mono
from tests.support.rendering import SCALE, long_file, render_processes, scale_file
from tests.support.servers.audio_service import AudioService
from tests.support.servers.storage_servers import ExternalPostgres

WAIT_S = 120.0


class RenderStudio:
    """An audio service with a real midi-store beside it, and the ids of some music."""

    def __init__(self, audio: AudioService) -> None:
        self.audio = audio
        audio.start("midi-store")

    def store(self, content: bytes, name: str) -> str:
        stored = self.audio.call_part("midi-store", "store_midi", base64=base64.b64encode(content).decode(), name=name)
        return str(stored["midi_file_id"])

    def song(self) -> str:
        """Return a song of two bars: a violin, and drums."""
        self.audio.start("compose")
        tracks = [{"name": "A", "instrument": "violin"}, {"name": "Kit", "instrument": "drums"}]
        song = self.audio.call_part("compose", "create_song", title="Tune", tempo=120, tracks=tracks)
        for track, notes in (("A", "C4 1; D4 1; E4 1; F4 1"), ("Kit", "C2 1; C2 1; C2 1; C2 1")):
            self.audio.call_part("compose", "add_notes", song_id=song["song_id"], track=track, notes=notes)
        return str(song["song_id"])

    def download(self, answer: dict[str, Any], folder: Path) -> Path:
        path = folder / f"sound.{answer['format']}"
        path.write_bytes(self.audio.get(answer["download_url"]).content)
        return path


@pytest.fixture(scope="module")
def studio(audio: AudioService) -> RenderStudio:
    return RenderStudio(audio)


@pytest.fixture(scope="module")
def song_id(studio: RenderStudio) -> str:
    return studio.song()


@pytest.fixture(scope="module")
def scale_id(studio: RenderStudio) -> str:
    return studio.store(scale_file(), "Scale.mid")


def test_the_answer_of_the_document(studio: RenderStudio, scale_id: str, tmp_path: Path) -> None:
    answer = studio.audio.call("midi_to_audio", midi_file_id=scale_id, instrument="guitar")
    assert {name: answer[name] for name in ("midi_file_id", "instrument", "duration", "synthesis_method")} == {
        "midi_file_id": scale_id,
        "instrument": "Acoustic Guitar (nylon)",
        "duration": 6.0,
        "synthesis_method": "fluidsynth",
    }
    assert (answer["name"], answer["format"], answer["sample_rate"]) == (
        "Scale - Acoustic Guitar (nylon).flac",
        "flac",
        44_100,
    )
    assert abs(answer["loudness"] + 16) < 0.5 and "warnings" not in answer
    assert answer["soundfont"].startswith("MuseScore_General")
    samples, sample_rate = read_mono(studio.download(answer, tmp_path))
    assert len(samples) == 6 * sample_rate
    assert {note.pitch for note in heard_notes(samples, sample_rate)} == set(SCALE)
    info = studio.audio.call("get_audio_info", audio_file_id=answer["audio_file_id"])
    assert (info["kind"], info["origin"]) == (
        "render",
        {"midi_file_id": scale_id, "instrument": "Acoustic Guitar (nylon)"},
    )
    assert abs(info["loudness"] - answer["loudness"]) < 0.2


def test_equal_calls_return_the_same_file_until_it_is_deleted(studio: RenderStudio, scale_id: str) -> None:
    first = studio.audio.call("midi_to_audio", midi_file_id=scale_id, format="ogg")
    same_music = studio.store(scale_file(), "Copy.mid")
    again = studio.audio.call("midi_to_audio", file_id=same_music, format="ogg", name="Scale")
    assert (again["audio_file_id"], again["midi_file_id"]) == (first["audio_file_id"], same_music)
    renamed = studio.audio.call("midi_to_audio", file_id=same_music, format="ogg")
    assert renamed["name"] == "Copy.ogg" and renamed["audio_file_id"] != first["audio_file_id"]
    other = studio.audio.call("midi_to_audio", midi_file_id=scale_id, format="ogg", tail=1)
    assert other["audio_file_id"] != first["audio_file_id"] and other["duration"] == 5
    studio.audio.call("delete_audio", audio_file_id=first["audio_file_id"])
    new = studio.audio.call("midi_to_audio", midi_file_id=scale_id, format="ogg")
    assert new["audio_file_id"] != first["audio_file_id"] and new["duration"] == first["duration"]


def test_a_song_is_rendered_with_its_instruments(studio: RenderStudio, song_id: str) -> None:
    answer = studio.audio.call("midi_to_audio", song_id=song_id, format="mp3", name="my demo")
    assert (answer["song_id"], answer["instrument"], answer["name"]) == (song_id, "Violin, Drums", "my demo.mp3")
    assert "midi_file_id" not in answer and abs(answer["duration"] - 4) < 0.05


def test_tracks_of_a_song_are_numbered_as_in_get_tracks(studio: RenderStudio, song_id: str) -> None:
    first, by_text, by_name = (
        studio.audio.call("midi_to_audio", song_id=song_id, solo=solo, last_bar=1) for solo in (0, "0", ["a"])
    )
    assert first["audio_file_id"] == by_text["audio_file_id"] == by_name["audio_file_id"]
    assert (first["name"], first["instrument"]) == ("Tune - A, to bar 1.flac", "Violin")
    info = studio.audio.call("get_audio_info", audio_file_id=first["audio_file_id"])
    assert info["origin"] == {"song_id": song_id, "solo": ["A"], "last_bar": 1}
    error = studio.audio.failed_call("midi_to_audio", song_id=song_id, mute=2)
    assert "0 to 1, or a name: A, Kit." in error["message"]


def test_the_answer_names_what_is_heard(studio: RenderStudio, song_id: str) -> None:
    drums = studio.audio.call("midi_to_audio", song_id=song_id, instrument="cello", solo="Kit", format="MP3")
    assert (drums["instrument"], drums["format"]) == ("Drums", "mp3")
    silent = studio.audio.call("midi_to_audio", song_id=song_id, mute=[0, 1], loudness="off")
    assert silent["name"] == "Tune - without A + Kit.flac"
    (warning,) = silent["warnings"]
    assert warning.startswith("Every track with notes is muted") and warning.endswith("Tracks: A, Kit.")


def test_long_work_returns_a_ticket(studio: RenderStudio) -> None:
    long_id = studio.store(long_file(60), "Long.mid")
    ticket = studio.audio.call("midi_to_audio", midi_file_id=long_id, wait_s=0, count_in=1, metronome=True)
    assert ticket["status"] in ("queued", "running") and 0 <= ticket["progress"] <= 1
    job = studio.audio.call("get_job", job_id=ticket["job_id"], wait_s=50)
    assert job["status"] == "succeeded" and job["kind"] == "render"
    assert job["result"]["duration"] == 2 + 60 + 2 and job["result"]["midi_file_id"] == long_id
    assert studio.audio.get(job["result"]["download_url"]).status_code == 200


@pytest.mark.parametrize(
    ("arguments", "code", "field", "part"),
    [
        ({"instrument": "kazoo"}, "UNKNOWN_INSTRUMENT", "instrument", "'kazoo' is not a General MIDI instrument"),
        ({"mute": ["Cello"]}, "UNKNOWN_TRACK", "mute", "There is no track 'Cello'"),
        ({"first_bar": 9}, "INVALID_BARS", "first_bar", "the piece ends in bar 2"),
        ({"format": "mp3", "sample_rate": 96_000}, "INVALID_INPUT", None, "MP3 files can have 22050"),
        ({"sample_rate": 8000}, "INVALID_INPUT", "sample_rate", "22050"),
        ({"name": "a/b"}, "INVALID_NAME", "name", "must not have any of"),
        ({"bars": "2-3"}, "INVALID_INPUT", "bars", "Give 'first_bar' and 'last_bar'"),
        ({"instruments": {"A": "cello"}}, "INVALID_INPUT", "instruments", "one instrument for all tracks"),
        ({"audio_file_id": "audio_1"}, "INVALID_INPUT", "audio_file_id", "makes audio from music"),
        ({"loudness": "loud"}, "INVALID_INPUT", "loudness", "a number or one of 'off'"),
    ],
)
def test_wrong_input_is_explained(
    studio: RenderStudio, scale_id: str, arguments: dict[str, Any], code: str, field: str | None, part: str
) -> None:
    error = studio.audio.failed_call("midi_to_audio", midi_file_id=scale_id, **arguments)
    assert (error["code"], error["field"]) == (code, field) and part in error["message"]


def test_unknown_music_is_named(studio: RenderStudio) -> None:
    error = studio.audio.failed_call("midi_to_audio", midi_file_id=f"midi_{'0' * 26}")
    assert (error["code"], error["field"]) == ("NOT_FOUND", "midi_file_id")


def test_music_in_place_of_audio_names_the_tool_that_renders_it(studio: RenderStudio, scale_id: str) -> None:
    error = studio.audio.failed_call("get_audio_info", audio_file_id=scale_id)
    assert "is a MIDI file. Call midi_to_audio with it" in error["message"] and error["suggestions"] == [
        "midi_to_audio"
    ]


def test_a_missing_soundfont_is_an_error_with_the_command(
    tmp_path: Path, postgres: ExternalPostgres, scale_id: str
) -> None:
    with AudioService(tmp_path, postgres.url, {"CONSORT_SOUNDFONT": "/nowhere/font.sf2"}) as audio:
        answer = audio.post("audio", "midi_to_audio", midi_file_id=scale_id)
    error = answer.json()["error"]
    assert answer.status_code == 503 and error["code"] == "SYNTH_MISSING"
    assert "lacks the soundfont /nowhere/font.sf2" in error["message"] and "playback_midi" in error["message"]
    assert error["suggestions"][0].startswith("apt-get install")


@pytest.mark.long
def test_a_render_survives_the_death_of_its_process_and_of_the_service(own_audio: AudioService, tmp_path: Path) -> None:
    studio = RenderStudio(own_audio)
    long_id = studio.store(long_file(60), "Long.mid")
    ticket = own_audio.call("midi_to_audio", midi_file_id=long_id, wait_s=0)
    process = next_render_process(own_audio.pid(), None)
    until(lambda: own_audio.call("get_job", job_id=ticket["job_id"])["status"] == "running")
    process.kill()
    replacement = next_render_process(own_audio.pid(), process)
    own_audio.kill()
    replacement.resume()
    _, alive = psutil.wait_procs([replacement], timeout=WAIT_S)
    assert alive == [], "the process ends with the service"
    assert list((own_audio.data / "uploads").iterdir()) == [], "nothing half-written is left"
    own_audio.start()
    assert own_audio.call("list_audio")["items"] == [], "nothing half-written is listed"
    job: dict[str, Any] = {}

    def is_done() -> bool:
        job.update(own_audio.call("get_job", job_id=ticket["job_id"], wait_s=20))
        return bool(job["status"] not in ("queued", "running"))

    until(is_done)
    assert job["status"] == "succeeded"
    samples, sample_rate = soundfile.read(studio.download(job["result"], tmp_path))
    assert len(samples) == 62 * sample_rate
    again = own_audio.call("midi_to_audio", midi_file_id=long_id)
    assert again["audio_file_id"] == job["result"]["audio_file_id"]
    assert len(own_audio.call("list_audio")["items"]) == 1


def next_render_process(service_pid: int, earlier: psutil.Process | None) -> psutil.Process:
    """Wait for a render process that is not `earlier`, and suspend it, so that it does not finish too soon."""
    found: list[psutil.Process] = []

    def is_there() -> bool:
        found.extend(process for process in render_processes(service_pid) if process != earlier)
        return bool(found)

    until(is_there)
    found[0].suspend()
    return found[0]


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)
