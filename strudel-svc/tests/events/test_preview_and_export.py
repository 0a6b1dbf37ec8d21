"""preview_events and strudel_export_midi, as their service answers them with the real engine and a store of bytes."""

import asyncio
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import mido
import pytest

from consort_kit.errors import AlreadyExists, InvalidInput, NotFound
from consort_kit.http.service_client import ServiceClient
from consort_kit.http.signed_links import Links
from consort_kit.settings import Settings
from consort_strudel.events.models import EventsPreview, PreviewEvents, StrudelExportMidi
from consort_strudel.events.script_to_play import ScriptToPlay
from consort_strudel.events.service import EventService, packed, unpacked
from consort_strudel.validation import Validator
from tests.support.strudel_engine import RunningEngine

SONG = """setcpm(90/3)
drums: s("bd hh*2 hh")
lead: n("<0 [2 4]>").scale("C4:major").s("gm_flute").gain("<1 .5>")
_muted: note("c2")
"""


class StoredFiles(ServiceClient):
    """Keeps what would be sent to midi-store."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.files: list[tuple[str, bytes]] = []

    async def request(
        self, service: str, method: str, path: str, *, stream: bool = False, **options: Any
    ) -> httpx2.Response:
        assert (service, method, path) == ("midi-store", "POST", "/files")
        name, if_taken = options["params"]["name"], options["params"]["if_taken"]
        if if_taken == "refuse" and name in dict(self.files):
            error = {"code": "ALREADY_EXISTS", "message": "Give another name, or overwrite: true."}
            return httpx2.Response(409, json={"error": error})
        self.files.append((name, options["content"]))
        return httpx2.Response(201, json={"midi_file_id": f"midi_{len(self.files)}", "path": "midi/x.mid"})


async def find_project(name: str, version: int | None) -> ScriptToPlay:
    if name != "waltz":
        raise NotFound("There is no such project.")
    return ScriptToPlay(SONG, "waltz", version or 7, {"beats_per_cycle": 3})


class Tools:
    def __init__(self, engine: RunningEngine, settings: Settings) -> None:
        self._engine = engine
        self.store = StoredFiles(settings)
        self.service = EventService(engine.engine, Validator(engine.engine), find_project, self.store, Links(settings))

    def preview(self, **fields: Any) -> tuple[EventsPreview, str | None]:
        return self._engine.run(lambda _: self.service.preview(PreviewEvents(**fields)))

    def export(self, **fields: Any) -> Any:
        return self._engine.run(lambda _: self.service.export(StrudelExportMidi(**fields)))


@pytest.fixture
def tools(engine: RunningEngine, tmp_path: Path) -> Iterator[Tools]:
    yield Tools(engine, Settings(data=tmp_path, token="t"))


def test_preview_has_a_row_for_equal_cycles_of_each_voice(tools: Tools) -> None:
    answer, picture = tools.preview(project_name="waltz", cycles=4)
    drums, lead = answer.voices
    assert (drums.voice, drums.line, drums.event_count) == ("drums", 2, 16)
    assert drums.rows == ["0-3: 0 bd 1/3; 1/3,1/2 hh 1/6; 2/3 hh 1/3"]
    assert lead.common == "s=gm_flute"
    assert lead.rows == ["0, 2: 0 C4 1 gain=1", "1, 3: 0 E4 1/2 gain=0.5; 1/2 G4 1/2 gain=0.5"]
    assert (answer.tempo, answer.beats_per_cycle, answer.seconds) == (90, 3, 8)
    assert picture is None


def test_preview_joins_the_notes_of_chords(tools: Tools) -> None:
    answer, _ = tools.preview(script_content='$: note("[c3,e3,g3] a3").s("piano")', cycles=1)
    assert answer.voices[0].rows == ["0: 0 c3+e3+g3 1/2; 1/2 a3 1/2"]


def test_preview_begins_at_any_cycle(tools: Tools) -> None:
    answer, _ = tools.preview(script_content='$: note("<c d e f>")', begin=2, cycles=1)
    assert answer.voices[0].rows == ["2: 0 e 1"]


def test_preview_shows_the_program_of_an_event(tools: Tools) -> None:
    script = '$: note("c3 e3").s("sawtooth").K(audioin().mul(.4).out())'
    answer, _ = tools.preview(script_content=script, cycles=1)
    assert answer.voices[0].common == "s=sawtooth K=audioin().mul(0.4).out()"


def test_preview_names_voices_that_play_nothing(tools: Tools) -> None:
    answer, _ = tools.preview(script_content='a: s("bd")\nb: s("<~ sd>")', cycles=1)
    assert answer.silent_voices == ["b"]


def test_preview_has_at_most_the_rows_that_were_asked_for(tools: Tools) -> None:
    script = 'busy: note(irand(60).segment(4))\nplain: s("bd")'
    answer, _ = tools.preview(script_content=script, cycles=16, max_rows=5)
    assert sum(len(voice.rows) for voice in answer.voices) == 5
    assert answer.voices[0].rows_left_out == 12
    assert answer.voices[1].rows_left_out is None


def test_preview_of_broken_code_says_where_the_error_is(tools: Tools) -> None:
    with pytest.raises(InvalidInput, match="Line 1, column 8") as raised:
        tools.preview(script_content="$: note(")
    assert raised.value.body.code == "INVALID_SCRIPT"


def test_picture_is_a_png_of_the_same_cycles(tools: Tools, engine: RunningEngine) -> None:
    answer, path = tools.preview(project_name="waltz", picture=True, cycles=2, width=640, height=320)
    assert path is not None and "version=7" in path
    assert answer.picture_url is not None and "signature" in answer.picture_url
    png = engine.run(lambda _: tools.service.draw(ScriptToPlay(SONG), 0, 2, 640, 320))
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == 640


def test_picture_of_code_has_the_code_in_its_address(tools: Tools) -> None:
    answer, path = tools.preview(script_content=SONG, picture=True)
    assert answer.picture_url is None
    assert path is not None and packed(SONG) in path.replace("%3D", "=")
    assert unpacked(packed(SONG), 10_000) == SONG
    with pytest.raises(InvalidInput):
        unpacked(packed("x" * 50_000), 10_000)


def test_export_stores_a_file_until_the_music_repeats(tools: Tools) -> None:
    answer = tools.export(project_name="waltz")
    assert (answer.cycles, answer.note_count, answer.unmapped_count, answer.tempo) == (2, 11, 0, 90)
    assert [(track.name, track.instrument) for track in answer.tracks] == [("drums", "Drums"), ("lead", "Flute")]
    name, content = tools.store.files[0]
    file = mido.MidiFile(file=io.BytesIO(content))
    assert name == "waltz.mid"
    assert sum(message.type == "note_on" for track in file.tracks for message in track) == 11
    assert file.length == pytest.approx(answer.seconds) == 4


def test_export_of_chosen_cycles_and_beats(tools: Tools) -> None:
    answer = tools.export(script_content='$: note("c*4")', begin=3, cycles=5, beats_per_cycle=2, name="mine.mid")
    assert (answer.cycles, answer.note_count, answer.beats_per_cycle, answer.tempo) == (5, 20, 2, 60)
    assert tools.store.files[0][0] == "mine.mid"


def test_export_under_a_taken_name_says_only_what_the_tool_can_do(tools: Tools) -> None:
    tools.export(script_content='$: note("c")', cycles=1, name="mine.mid")
    with pytest.raises(AlreadyExists) as raised:
        tools.export(script_content='$: note("d")', cycles=1, name="mine.mid")
    assert "Give another name" in raised.value.body.message and "overwrite" not in str(raised.value.body)


def test_export_of_music_that_never_repeats_is_limited_and_says_so(tools: Tools) -> None:
    answer = tools.export(script_content="$: note(irand(40).segment(2).add(40))")
    assert answer.cycles == 32
    assert any("does not repeat" in line for line in answer.warnings)


def test_export_without_notes_is_an_error_that_says_what_there_is(tools: Tools) -> None:
    with pytest.raises(InvalidInput) as raised:
        tools.export(script_content='$: s("crow")', cycles=1)
    assert raised.value.body.details == {"left_out": {"sounds without pitch: crow": 1}}
    assert not tools.store.files


def test_unknown_project_is_not_found(tools: Tools) -> None:
    with pytest.raises(NotFound):
        asyncio.run(tools.service.project("polka", None))
