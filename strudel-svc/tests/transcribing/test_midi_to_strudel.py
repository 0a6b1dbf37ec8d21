"""midi_to_strudel, as its service answers it with the real engine."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from consort_kit.errors import AlreadyExists
from consort_kit.http.service_client import FetchedFile, ServiceClient
from consort_kit.settings import Settings
from consort_music.errors import MusicError
from consort_music.midi.writer import write_midi
from consort_music.note_sequence.midi_text import read_midi_text
from consort_music.note_sequence.to_midi_file import sequence_to_midi
from consort_strudel.projects.models.projects import CreateProject, ProjectCreated
from consort_strudel.projects.names import name_taken
from consort_strudel.transcribing.models import MidiToStrudel, StrudelTranscription
from consort_strudel.transcribing.service import TranscribingService
from tests.support.strudel_engine import RunningEngine

SONG_ID = f"song_{'a' * 26}"
MUSIC = """tempo 96
time 1/4
time 3/4 1
track Lead Violin
D4 80 0
G4 90 1
A4 90 2
B4 90 3
C5 90 4 1/2
F#4 90 4.5 1/2
E4 90 5
G4 90 6
"""


class MusicByName(ServiceClient):
    """Answers every id with the same file."""

    async def fetch(self, any_id: str) -> FetchedFile:
        return FetchedFile(write_midi(sequence_to_midi(read_midi_text(MUSIC).music)), None, "Waltz.mid")


class TranscribingRun:
    def __init__(self, engine: RunningEngine, data: Path) -> None:
        self._engine = engine
        self.created: list[CreateProject] = []
        self._service = TranscribingService(engine.engine, MusicByName(Settings(data=data, token="t")), self._create)

    async def _create(self, request: CreateProject) -> ProjectCreated:
        if request.name == "taken":
            raise name_taken(request.name, "name")
        self.created.append(request)
        return ProjectCreated(project_name=request.name, message="Created.", version=1, listen_url="http://listen")

    def call(self, **fields: Any) -> StrudelTranscription:
        return self._engine.run(lambda _: self._service.transcribe(MidiToStrudel(**fields)))


@pytest.fixture
def transcribing(engine: RunningEngine, tmp_path: Path) -> TranscribingRun:
    return TranscribingRun(engine, tmp_path)


def test_answer_has_the_code_and_what_was_found(transcribing: TranscribingRun) -> None:
    answer = transcribing.call(song_id=SONG_ID)
    assert answer.script.startswith("// Waltz\n// G major, 3/4, 3 cycles (one bar each)\n\nsetcpm(96/3)\n")
    assert answer.is_exact is True
    assert (answer.note_count, answer.moved_count, answer.grid) == (8, 0, "1/8")
    assert (answer.cycles, answer.beats_per_cycle, answer.tempo) == (3, 3, 96)
    assert (answer.key, answer.time_signature, answer.voices) == ("G major", "3/4", ["lead"])
    assert answer.starts_later_by == 2
    assert not transcribing.created


def test_code_can_become_a_project_that_knows_its_beats(transcribing: TranscribingRun) -> None:
    answer = transcribing.call(midi_file_id=SONG_ID, project_name="waltz", title="My waltz")
    assert (answer.project_name, answer.listen_url) == ("waltz", "http://listen")
    request = transcribing.created[0]
    assert request.initial_script == answer.script and "// My waltz" in answer.script
    assert request.metadata is not None
    assert (request.metadata.tempo, request.metadata.key) == (96, "G major")
    assert request.metadata.data == {"beats_per_cycle": 3, "made_from": SONG_ID}


def test_wrong_ids_and_grids_are_rejected() -> None:
    with pytest.raises(ValidationError):
        MidiToStrudel(midi_file_id="audio_x")
    with pytest.raises(ValidationError, match=r"'1/5' is not a grid\. Write one such as 1/4, 1/8, 1/16"):
        MidiToStrudel(midi_file_id=SONG_ID, grid="1/5")


def test_errors_name_the_fields_of_this_tool(transcribing: TranscribingRun) -> None:
    with pytest.raises(MusicError) as raised:
        transcribing.call(midi_file_id=SONG_ID, first_bar=9)
    assert raised.value.field == "first_bar"
    with pytest.raises(AlreadyExists) as taken:
        transcribing.call(midi_file_id=SONG_ID, project_name="taken")
    assert taken.value.body.field == "project_name" and "for 'project_name'" in taken.value.body.message
