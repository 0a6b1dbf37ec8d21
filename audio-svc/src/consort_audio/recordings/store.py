"""All SQL for the `recordings` table."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from psycopg.types.json import Jsonb

from consort_kit.storage.postgres import Database


@dataclass(frozen=True)
class RecordingRow:
    id: str
    prompt: str
    max_duration_s: float
    options: dict[str, Any]
    token_sha256: str
    audio_file_id: str | None
    """Set once, when the recording is complete."""
    details: dict[str, Any]
    created_at: datetime
    expires_at: datetime

    @property
    def is_expired(self) -> bool:
        return self.audio_file_id is None and self.expires_at <= datetime.now(UTC)


class RecordingStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self,
        recording_id: str,
        prompt: str,
        max_duration_s: float,
        options: dict[str, Any],
        token_sha256: str,
        expires_at: datetime,
    ) -> RecordingRow:
        found = await self._database.run(
            "insert into recordings (id, prompt, max_duration_s, options, token_sha256, expires_at)"
            " values (%s, %s, %s, %s, %s, %s) returning *",
            (recording_id, prompt, max_duration_s, Jsonb(options), token_sha256, expires_at),
        )
        return RecordingRow(**found[0])

    async def by_id(self, recording_id: str) -> RecordingRow | None:
        found = await self._database.run("select * from recordings where id = %s", (recording_id,))
        return RecordingRow(**found[0]) if found else None

    async def set_details(self, recording_id: str, audio_file_id: str, details: dict[str, Any]) -> None:
        """Keep how a take was made. `audio_file_id` is the file that the take will become."""
        await self._database.run(
            "update recordings set details = details || %s where id = %s returning id",
            (Jsonb({audio_file_id: details}), recording_id),
        )

    async def complete(self, recording_id: str, audio_file_id: str) -> bool:
        """Set the recording's file. Return False if it already has another one, or does not exist."""
        found = await self._database.run(
            "update recordings set audio_file_id = %s"
            " where id = %s and (audio_file_id is null or audio_file_id = %s) returning id",
            (audio_file_id, recording_id, audio_file_id),
        )
        return bool(found)
