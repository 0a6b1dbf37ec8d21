"""Store composed scores under an id, so that callers can use a score without sending its music again."""

import asyncio

from consort_compose.score_library.references import PREFIX, is_reference
from consort_compose.score_library.service import ScoreLibrary
from consort_compose.scores.models import ScoreList, ScoreListItem
from consort_compose.scores.store import ScoreStore
from consort_kit.errors import NotFound
from consort_kit.ids import id_pattern, new_id
from consort_kit.tools.cursor import first_page, read_cursor
from consort_music.score import Score
from consort_music.score_json import score_from_json, score_to_json

SCORE_ID = id_pattern("score")
SCORE_OR_PIECE = id_pattern("score", PREFIX)
"""The id of a stored score, or a reference to a piece of the score library."""
UNTITLED = "composition"


class ScoreService:
    """Stores and reads composed scores, and reads the score library. JSON is converted in a thread."""

    def __init__(self, store: ScoreStore, library: ScoreLibrary) -> None:
        self._store = store
        self._library = library

    async def keep(self, score: Score) -> str:
        """Store a score for 30 days and return its id."""
        score_id = new_id("score")
        await self._store.add(score_id, await asyncio.to_thread(score_to_json, score))
        return score_id

    async def get(self, score_id: str, field: str = "score_id") -> Score:
        """Return a score or a piece of the library.

        Raise NotFound if it is unknown or expired; `field` is the parameter that has the id.
        """
        if is_reference(score_id):
            return (await self._library.read(score_id, field)).score
        music = await self._store.music(score_id)
        if music is None:
            raise NotFound(
                f"There is no score {score_id}. Scores are kept for 30 days. Compose it again, and keep it with"
                " add_notes or compose_export_midi.",
                field=field,
                suggestions=["add_notes", "compose_export_midi"],
            )
        return await asyncio.to_thread(score_from_json, music)

    async def newest(self, limit: int, cursor: str | None) -> ScoreList:
        """Return a page of the scores that are not expired, newest first."""
        before = read_cursor(cursor, "this route") if cursor else None
        rows = await self._store.newest(limit + 1, before)
        page, next_cursor = first_page(rows, limit, lambda row: (row.created_at, row.id))
        items = [
            ScoreListItem(score_id=row.id, title=row.title, parts=row.parts, created_at=row.created_at) for row in page
        ]
        return ScoreList(items=items, next_cursor=next_cursor)
