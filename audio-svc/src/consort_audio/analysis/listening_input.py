"""The input that the listening tools share."""

from typing import ClassVar

from pydantic import Field

from consort_audio.files.models import AUDIO_ALIASES, AUDIO_FILE_ID
from consort_kit.jobs.models import WAIT_S, WaitSeconds
from consort_kit.tools.models import ToolInput


class ListeningInput(ToolInput):
    """The input of a tool that listens to one audio file."""

    aliases: ClassVar[dict[str, str]] = AUDIO_ALIASES

    audio_file_id: str = Field(description="Id of an audio file.", pattern=AUDIO_FILE_ID)
    wait_s: WaitSeconds = WAIT_S
