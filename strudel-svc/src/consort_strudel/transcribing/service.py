"""Run midi_to_strudel: fetch the music, write the script, check it with the engine, store it as a project."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from consort_kit.errors import ConsortError
from consort_kit.http.service_client import ServiceClient
from consort_kit.processes.child_process import run_within_limits
from consort_kit.processes.work_limits import TRANSCRIBE
from consort_music.errors import in_field
from consort_music.midi.file_names import title_from_name
from consort_strudel.engine import Engine
from consort_strudel.projects.models.projects import CreateProject, ProjectCreated, ProjectMetadata
from consort_strudel.transcribing.check_script import ScriptCheck, check_script
from consort_strudel.transcribing.grid import grid_name
from consort_strudel.transcribing.models import MidiToStrudel, StrudelTranscription
from consort_strudel.transcribing.read_music import GridMusic, MusicChoice, read_grid_music
from consort_strudel.transcribing.write_script import WritingOptions, unique_labels, write_script

MAX_BYTES = 10 * 1024 * 1024

CreateNewProject = Callable[[CreateProject], Awaitable[ProjectCreated]]


class Transcript(NamedTuple):
    script: str
    music: GridMusic


def transcribe(content: bytes, choice: MusicChoice, options: WritingOptions) -> Transcript:
    """Return a MIDI file as a script, and the music on the grid. Runs in a child process for large files."""
    music = read_grid_music(content, MAX_BYTES, choice)
    return Transcript(write_script(music, options), music)


class TranscribingService:
    def __init__(self, engine: Engine, client: ServiceClient, create_project: CreateNewProject) -> None:
        self._engine = engine
        self._client = client
        self._create_project = create_project

    async def transcribe(self, request: MidiToStrudel) -> StrudelTranscription:
        fetched = await self._client.fetch(request.midi_file_id)
        title = request.title or (title_from_name(fetched.name) if fetched.name else None)
        tracks = None if request.tracks is None else tuple(request.tracks)
        choice = MusicChoice(tracks, request.first_bar, request.last_bar, request.grid, title)
        options = WritingOptions(request.pitches, request.velocity)
        with in_field("midi_file_id"):
            script, music = await run_within_limits(
                len(fetched.content), TRANSCRIBE, transcribe, fetched.content, choice, options
            )
        check = await check_script(self._engine, script, music)
        created = await self._stored(request, script, music)
        cycle = music.cycle
        return StrudelTranscription(
            script=script,
            note_count=music.note_count,
            is_exact=None if check.error else check.is_right,
            grid=_grid_text(music),
            moved_count=music.moved,
            cycles=float(music.end / cycle),
            beats_per_cycle=float(cycle),
            tempo=round(float(music.tempos[0][1]), 3),
            key=music.key.name if music.key else None,
            time_signature=music.bars[0].metre.name,
            starts_later_by=float(music.shift) if music.shift > 0 else None,
            voices=unique_labels(music.tracks),
            project_name=created.project_name if created else None,
            listen_url=created.listen_url if created else None,
            warnings=[*music.warnings, *_doubts(check)] or None,
        )

    async def _stored(self, request: MidiToStrudel, script: str, music: GridMusic) -> ProjectCreated | None:
        if request.project_name is None:
            return None
        metadata = ProjectMetadata(
            tempo=round(float(music.tempos[0][1]), 3),
            key=music.key.name if music.key else None,
            data={"beats_per_cycle": float(music.cycle), "made_from": request.midi_file_id},
        )
        project = CreateProject(name=request.project_name, metadata=metadata, initial_script=script)
        try:
            return await self._create_project(project)
        except ConsortError as error:
            if error.body.field == "name":  # the name of the field in create_project
                error.body.field = "project_name"
                error.body.message = error.body.message.replace("'name'", "'project_name'")
            raise


def _grid_text(music: GridMusic) -> str:
    return ", ".join(dict.fromkeys(map(grid_name, music.grid)))


def _doubts(check: ScriptCheck) -> list[str]:
    if check.error:
        return [f"The script could not be checked: {check.error}"]
    if check.is_right:
        return []
    lost = check.note_count - check.right
    lines = [f"The script plays {lost} of {check.note_count} notes differently."] if lost or check.extra else []
    return lines if check.are_tempos_right else [*lines, "The script changes its tempo differently."]
