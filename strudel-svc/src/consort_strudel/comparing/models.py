"""The input and answer of compare_strudel. An assistant reads every description here."""

from typing import Annotated, ClassVar, Self

from pydantic import Field, WithJsonSchema, model_validator

from consort_kit.jobs.models import WAIT_S, WaitSeconds
from consort_kit.tools.models import ToolInput, ToolOutput, check_one_given
from consort_strudel.projects.models.fields import Code, ProjectName, VersionNumber
from consort_strudel.projects.models.patches import PatchInstructions

MOST_CYCLES = 64
_PATCH = {"type": ["object", "array"], "items": {}, "description": "Instead: a patch as for update_song; not saved."}
_EXAMPLE = '{"project_name": "rain", "patch_instructions": {"action": "append", "new_content": "$: s(\\"hh*8\\")"}}'


class CompareStrudel(ToolInput):
    aliases: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("name", "project"), "project_name"),
        **dict.fromkeys(("script", "code", "before"), "script_content"),
        **dict.fromkeys(("after", "new_script", "new_content"), "new_script_content"),
        **dict.fromkeys(("patch", "patches"), "patch_instructions"),
        "version": "before_version",
        "track": "voice",
    }
    units: ClassVar[dict[str, str]] = {"begin": "bars", "cycles": "bars"}

    project_name: ProjectName | None = Field(None, description="As in list_projects.")
    script_content: Code | None = Field(None, description="Instead: the code before.")
    before_version: VersionNumber | None = Field(None, description="Default: the one before after_version.")
    after_version: VersionNumber | None = Field(None, description="Default: the current.")
    patch_instructions: Annotated[PatchInstructions | None, WithJsonSchema(_PATCH)] = None
    new_script_content: Code | None = Field(None, description="Instead: the whole code after.")
    voice: str | None = Field(None, max_length=200, description="Only this voice: its label or id.")
    begin: int = Field(0, ge=0, le=100_000, description="First cycle, from 0.")
    cycles: int = Field(4, ge=1, le=MOST_CYCLES, description="How many.")
    wait_s: WaitSeconds = WAIT_S

    @model_validator(mode="after")
    def _check_both_sides(self) -> Self:
        check_one_given(self, ("project_name", "script_content"), _EXAMPLE)
        after = ("after_version", "patch_instructions", "new_script_content")
        if self.script_content is not None or sum(getattr(self, name) is not None for name in after) > 1:
            check_one_given(self, after[1:] if self.script_content is not None else after, _EXAMPLE)
        return self


class HeardMeasure(ToolOutput):
    before: float
    after: float
    change: str = Field(description="For example +18% or -2.1 dB; `unchanged` if too small to be heard.")


class ComparedSound(ToolOutput):
    what: str = Field(description="For example rain v3.")
    audio_file_id: str
    listen_url: str = Field(description="Page that plays it, for the user to compare; valid for one day.")
    silent_voices: list[str] | None = None
    replaced_sounds: dict[str, str] | None = Field(None, description="Sounds that are not here: what played instead.")
    missing_sounds: dict[str, int] | None = Field(None, description="Sounds that are not here: events left out.")
    failed_sounds: dict[str, int] | None = Field(None, description="Sound and reason: events that failed.")


class ComparedStrudel(ToolOutput):
    summary: str = Field(description="What changed for the ear, in words.")
    measures: dict[str, HeardMeasure] = Field(
        description="loudness (LUFS), brightness (Hz), low_balance, mid_balance, high_balance (dB against the rest), "
        "width (0 mono to 1), onset_density (per second), swing (0 straight, 0.33 triplets), dynamic_range (dB)."
    )
    before: ComparedSound
    after: ComparedSound
    warnings: list[str] | None = None
