"""A list of scores, for the gateway's resources."""

from datetime import datetime

from consort_kit.tools.models import ToolOutput


class ScoreListItem(ToolOutput):
    score_id: str
    title: str | None
    parts: list[str]
    created_at: datetime


class ScoreList(ToolOutput):
    items: list[ScoreListItem]
    next_cursor: str | None = None
