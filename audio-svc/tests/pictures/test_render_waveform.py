"""The tool render_waveform, with real services: pictures of stored, rendered and cut audio, links and errors."""

import base64
import json
from typing import Any, NamedTuple

import numpy as np
import psycopg
import pytest

from consort_kit.ids import new_id
from consort_kit.tools.answer_headers import MEDIA_DETAILS_HEADER
from tests.support.audio_files import sine, wav_bytes
from tests.support.audio_pictures import AudioPicture, png_rows
from tests.support.imports import modules_loaded_by
from tests.support.rendering import SCALE, scale_file
from tests.support.servers.audio_service import AudioService
from tests.support.servers.storage_servers import ExternalPostgres

NOTE_S = 0.5


class Drawn(NamedTuple):
    content: bytes
    details: dict[str, Any]

    @property
    def picture(self) -> AudioPicture:
        return AudioPicture(self.content)

    def note_times(self) -> list[float]:
        """Return the times at which notes start, in seconds from the left edge of a picture of 10 s."""
        left, _, width, _ = self.picture.image_area()
        return [(x - left) / width * 10 for x, *_ in self.picture.notes()]


class PictureStudio:
    """An audio service with a midi-store beside it."""

    def __init__(self, audio: AudioService) -> None:
        self.audio = audio
        audio.start("midi-store")

    def store_scale(self) -> str:
        content = base64.b64encode(scale_file()).decode()
        answer = self.audio.call_part("midi-store", "store_midi", base64=content, name=f"{new_id('scale')}.mid")
        return str(answer["midi_file_id"])

    def render(self, midi_file_id: str, **options: Any) -> str:
        answer = self.audio.call("midi_to_audio", midi_file_id=midi_file_id, wait_s=50, **options)
        return str(answer["audio_file_id"])

    def store(self, content: bytes) -> str:
        stored = self.audio.call("store_audio", base64=base64.b64encode(content).decode(), name="Take 1.wav")
        return str(stored["audio_file_id"])

    def draw(self, audio_file_id: str, **options: Any) -> Drawn:
        """Draw a picture, by default a small one."""
        given = {"audio_file_id": audio_file_id, "width": 700, "height": 400, **options}
        answer = self.audio.post("audio", "render_waveform", **given)
        assert answer.status_code == 200, answer.text
        return Drawn(answer.content, json.loads(answer.headers[MEDIA_DETAILS_HEADER]))


@pytest.fixture(scope="module")
def studio(audio: AudioService) -> PictureStudio:
    return PictureStudio(audio)


@pytest.fixture(scope="module")
def tone(studio: PictureStudio) -> str:
    return studio.store(wav_bytes(sine(440, 2.0)))


@pytest.fixture(scope="module")
def scale(studio: PictureStudio) -> str:
    """Return a scale of eight notes with two bars of count-in: 4 s of clicks, 4 s of music, 2 s of tail."""
    return studio.render(studio.store_scale(), count_in=2, tail=2.0)


def test_a_png_with_links(studio: PictureStudio, tone: str) -> None:
    drawn = studio.draw(tone, width=640, height=360)
    assert png_rows(drawn.content)[:2] == (640, 360)
    assert drawn.details.keys() == {"download_url", "listen_url", "layers"} and drawn.details["layers"] == []
    assert f"/player/{tone}" in drawn.details["listen_url"]
    linked = studio.audio.get(drawn.details["download_url"])
    assert linked.headers["content-type"] == "image/png" and linked.content == drawn.content


def test_options_are_part_of_the_link(studio: PictureStudio, tone: str) -> None:
    options = {"start_time": 0.5, "end_time": 1.5, "spectrogram": "none", "title": "Ä & B", "height": 300}
    drawn = studio.draw(tone, format="svg", **options)
    assert drawn.picture.image is None and "Ä & B" in drawn.picture.texts
    assert studio.audio.get(drawn.details["download_url"]).content == drawn.content


def test_the_title_is_the_name_of_the_file(studio: PictureStudio, tone: str) -> None:
    assert "Take 1" in studio.draw(tone, format="svg").picture.texts


def test_notes_of_rendered_music_are_where_the_sound_is(studio: PictureStudio, scale: str) -> None:
    drawn = studio.draw(scale, format="svg", width=1100, height=900)
    assert drawn.details["layers"] == ["notes", "beats"] and "warnings" not in drawn.details
    assert drawn.note_times() == pytest.approx([4 + NOTE_S * index for index in range(len(SCALE))], abs=0.01)
    picture = drawn.picture
    left, top, _, height = picture.image_area()
    levels = picture.levels()
    for (x, y, right, bottom), pitch in zip(picture.notes(), SCALE, strict=True):
        assert (y + bottom) / 2 == pytest.approx(top + (108.5 - pitch) * height / 88, abs=1)
        column = levels[:, round((x + right) / 2) - left]
        inside = column[round(y) - top : round(bottom) - top].max()
        assert inside >= 0.75 * column.max()
        semitone = height / 88
        beside = column[round(y - 2 * semitone) - top]
        assert beside < inside - 4
    assert "1" in picture.texts and "2" in picture.texts


def test_a_segment_of_a_segment_keeps_its_notes(studio: PictureStudio, scale: str) -> None:
    first = studio.audio.call("segment_audio", audio_file_id=scale, start_time=1, end_time=9)["audio_file_id"]
    second = studio.audio.call("segment_audio", audio_file_id=first, start_time=2.25, end_time=4)["audio_file_id"]
    drawn = studio.draw(second, format="svg")
    left, _, width, _ = drawn.picture.image_area()
    times = [(x - left) / width * 1.75 for x, *_ in drawn.picture.notes()]
    assert times == pytest.approx([0.75, 1.25], abs=0.01)
    studio.audio.call("delete_audio", audio_file_id=first)
    drawn = studio.draw(second, format="svg")
    assert not drawn.picture.notes() and "cut from was deleted" in drawn.details["warnings"][0]


def test_bars_of_a_part_keep_their_numbers(studio: PictureStudio) -> None:
    drawn = studio.draw(studio.render(studio.store_scale(), first_bar=2, tail=1.0), format="svg")
    assert len(drawn.picture.notes()) == 4
    assert "2" in drawn.picture.texts and "1" not in drawn.picture.texts


def test_only_the_layers_that_were_asked_for(studio: PictureStudio, scale: str) -> None:
    beats = studio.draw(scale, format="svg", layers=["beats"])
    assert beats.details["layers"] == ["beats"] and not beats.picture.notes() and "2" in beats.picture.texts
    nothing = studio.draw(scale, format="svg", layers=[])
    assert nothing.details["layers"] == [] and "warnings" not in nothing.details
    waves = studio.draw(scale, format="svg", spectrogram="none")
    assert waves.details["layers"] == ["beats"] and "warnings" not in waves.details
    notes = studio.draw(scale, format="svg", spectrogram="none", layers="notes")
    assert "over the spectrogram" in notes.details["warnings"][0]
    faults = studio.draw(scale, format="svg", layers=["chords", "faults"])
    (warning,) = faults.details["warnings"]
    assert warning.startswith("No chords and no faults are known") and "compare_to_reference" in warning


def test_music_that_is_gone_is_a_warning(studio: PictureStudio) -> None:
    midi_file_id = studio.store_scale()
    rendered = studio.render(midi_file_id, tail=1.0)
    assert studio.draw(rendered, format="svg").picture.notes()
    studio.audio.call_part("midi-store", "delete_midi", midi_file_id=midi_file_id)
    drawn = studio.draw(rendered, format="svg")
    assert not drawn.picture.notes() and drawn.picture.levels().any()
    assert "cannot be read" in drawn.details["warnings"][0] and midi_file_id in drawn.details["warnings"][0]


def test_music_that_has_changed_is_a_warning(studio: PictureStudio) -> None:
    studio.audio.start("compose")
    song = studio.audio.call_part("compose", "create_song", title=new_id("song"), tracks={"A": "Flute"})
    song_id = song["song_id"]
    studio.audio.call_part("compose", "add_notes", song_id=song_id, track="A", notes="C4 1; D4 1")
    rendered = studio.render(song_id, tail=0.5)
    assert len(studio.draw(rendered, format="svg").picture.notes()) == 2
    studio.audio.call_part("compose", "add_notes", song_id=song_id, track="A", notes="E4 1")
    drawn = studio.draw(rendered, format="svg")
    assert not drawn.picture.notes() and "Render it again" in drawn.details["warnings"][0]


@pytest.mark.parametrize(
    ("options", "code", "field", "words"),
    [
        ({"start_time": 2}, "INVALID_TIME_RANGE", "start_time", "lasts 2 s"),
        ({"end_time": 2.5}, "INVALID_TIME_RANGE", "end_time", "beyond the end"),
        ({"start_time": 1, "end_time": 1}, "INVALID_TIME_RANGE", "start_time", "not before 'end_time'"),
        ({"start_time": 1e300}, "INVALID_TIME_RANGE", "start_time", "not before the end"),
        ({"start_time": -1}, "INVALID_INPUT", "start_time", "0"),
        ({"spectrogram": "mel"}, "INVALID_INPUT", "spectrogram", "'log', 'linear' or 'none'"),
        ({"layers": ["lyrics"]}, "INVALID_INPUT", "layers.0", "'notes'"),
        ({"width": 100}, "INVALID_INPUT", "width", "320"),
    ],
)
def test_bad_options_are_explained(
    studio: PictureStudio, tone: str, options: dict[str, Any], code: str, field: str, words: str
) -> None:
    error = studio.audio.failed_call("render_waveform", audio_file_id=tone, **options)
    assert (error["code"], error["field"]) == (code, field) and words in error["message"]


def test_an_unknown_file(studio: PictureStudio) -> None:
    error = studio.audio.failed_call("render_waveform", audio_file_id=new_id("audio"))
    assert error["code"] == "NOT_FOUND" and "list_audio" in error["message"]


def test_ten_samples_of_eight_channels(studio: PictureStudio) -> None:
    stored = studio.store(wav_bytes(np.full((10, 8), 0.25, dtype=np.float32), 192_000))
    assert png_rows(studio.draw(stored, width=400, height=300).content)[:2] == (400, 300)


def test_the_service_loads_no_numpy() -> None:
    assert {"numpy", "soundfile", "av", "resvg_py"}.isdisjoint(modules_loaded_by("consort_audio.pictures.routes"))


def test_a_render_whose_music_was_not_recorded_has_no_notes(studio: PictureStudio, postgres: ExternalPostgres) -> None:
    rendered = studio.render(studio.store_scale(), tail=1.5)
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("UPDATE audio.files SET origin = origin - 'music_sha256' WHERE id = %s", (rendered,))
    drawn = studio.draw(rendered, format="svg")
    assert drawn.details["layers"] == [] and "warnings" not in drawn.details
