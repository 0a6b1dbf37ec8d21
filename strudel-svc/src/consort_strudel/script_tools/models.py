"""What the tools are asked."""

from typing import Self

from pydantic import Field, model_validator

from consort_kit.errors import InvalidInput
from consort_kit.tools.models import ToolInput
from consort_strudel.projects.models.fields import Code, ProjectName


class ValidateScript(ToolInput):
    script_content: Code = Field(description="The script.")
    project_name: ProjectName | None = Field(None, description="Use its beats per cycle.")
    fragment: bool = Field(False, description="It is the end of a chain, as `.lpf(600)`.")


class AnalyzeSongStructure(ToolInput):
    project_name: ProjectName | None = Field(None, description="The project to analyze.")
    script_content: Code | None = Field(None, description="A script, instead of a project.")

    @model_validator(mode="after")
    def _has_one(self) -> Self:
        if (self.project_name is None) == (self.script_content is None):
            raise InvalidInput("Give either 'project_name' or 'script_content'.", field="project_name")
        return self
