"""What most song requests and answers have in common."""

from pydantic import Field

from consort_compose.songs.models.fields import (
    SongId,
)
from consort_kit.tools.models import ToolInput, ToolOutput


class SongRequest(ToolInput):
    """A request about one song."""

    song_id: SongId | None = Field(None, description="Default: last used.")


class SongChangeRequest(SongRequest):
    """A request that changes a song. It needs no version, because it names what it changes."""


class VersionedChangeRequest(SongChangeRequest):
    """A request that changes notes in a range. It can be rejected if another client changed them meanwhile."""

    expected_version: int | None = Field(None, description="Reject if it changed since.")


class SongAnswer(ToolOutput):
    """An answer about one song."""

    song_id: str
    title: str
    version: int = Field(description="Increases with each change.")
    warnings: list[str] | None = None
