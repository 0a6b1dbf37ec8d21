"""Input and output of midi_to_strudel. An assistant reads every description here."""

from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from consort_kit.ids import id_pattern
from consort_kit.tools.chosen_music import ChosenMusic
from consort_kit.tools.models import ToolOutput
from consort_music.errors import MusicError
from consort_music.music_ids import MUSIC_ALIASES, MUSIC_ROUTES
from consort_music.timing.grid import GRID_NAMES, parse_grid
from consort_strudel.projects.models.fields import ProjectName
from consort_strudel.transcribing.write_script import PitchChoice, VelocityDetail


def _checked_grid(name: str) -> str:
    try:
        parse_grid(name)
    except MusicError as error:
        raise PydanticCustomError(
            "INVALID_GRID", "{message}", {"message": error.message, "suggestions": list(GRID_NAMES)}
        ) from error
    return name


GridName = Annotated[str, AfterValidator(_checked_grid)]


class MidiToStrudel(ChosenMusic):
    aliases: ClassVar[dict[str, str]] = {**MUSIC_ALIASES, "quantize": "grid", "velocities": "velocity"}

    midi_file_id: str = Field(description="Id of a file, song or score.", pattern=id_pattern(*MUSIC_ROUTES))
    grid: GridName | None = Field(None, description="Note value, such as 1/16 or 1/8t. Default: what fits.")
    pitches: PitchChoice = Field("auto", description="auto: degrees of the scale where the key is clear.")
    velocity: VelocityDetail = Field("rounded", description="rounded: to tenths.")
    project_name: ProjectName | None = Field(None, description="Also store it as this new project.")


class StrudelTranscription(ToolOutput):
    script: str
    note_count: int
    is_exact: bool | None = Field(
        None,
        description="Whether the engine plays exactly the notes on the grid (warnings say how they differ from the"
        " file); absent if it could not be checked.",
    )
    grid: str = Field(description="Note value of the grid of starts and, if finer, of ends.")
    moved_count: int = Field(description="Notes whose start or length is not exactly that of the file.")
    cycles: float
    beats_per_cycle: float
    tempo: float = Field(description="BPM at the beginning.")
    key: str | None = Field(None, description="If it is clear.")
    time_signature: str = Field(description="The first one.")
    starts_later_by: float | None = Field(
        None, description="Beats: a pickup fills the end of a whole cycle, so all notes are later."
    )
    voices: list[str] = Field(description="Labels of the statements.")
    project_name: str | None = None
    listen_url: str | None = Field(None, description="Page that plays the project, for the user.")
    warnings: list[str] | None = None
