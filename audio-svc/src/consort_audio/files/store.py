"""All SQL for the tables `files`, the catalogue of audio files, and `uploads`, the uploads that are not complete."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from psycopg.types.json import Jsonb

from consort_audio.codecs.facts import AudioFacts
from consort_kit.storage.postgres import Database

AudioKind = Literal["upload", "recording", "render", "segment"]


@dataclass(frozen=True)
class AudioRow:
    id: str
    name: str
    kind: AudioKind
    format: str
    sample_rate: int
    channels: int
    frames: int
    bytes: int
    sha256: str
    blob_key: str
    peak_db: float | None
    """The highest sample in dB relative to full scale; None if all samples are zero."""
    loudness: float | None
    """In LUFS; None if the audio is shorter than 400 ms or silent."""
    origin: dict[str, Any]
    """What it was made from: ids and parameters."""
    created_at: datetime

    @property
    def duration(self) -> float:
        """The duration in seconds."""
        return self.frames / self.sample_rate


@dataclass(frozen=True)
class UploadRow:
    id: str
    """The audio_file_id that the file gets when it is complete."""
    name: str
    """Empty: the name that the uploading program sends."""
    recording_id: str | None
    max_duration_s: float
    total_bytes: int | None
    """The size as the first request announced it."""
    created_at: datetime
    expires_at: datetime
    sender: str | None
    """The client that sends the bytes so far, as it names itself."""
    error: dict[str, Any] | None
    """Why the last complete file could not be used: an ErrorBody and the HTTP status."""

    def is_of(self, total_bytes: int, sender: str | None) -> bool:
        """Return whether the bytes so far are of the file with this size that this client sends."""
        return (self.total_bytes, self.sender) == (total_bytes, sender)


class AudioStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self, file_id: str, name: str, kind: AudioKind, facts: AudioFacts, blob_key: str, origin: dict[str, Any]
    ) -> AudioRow | None:
        """Add a file and return its row, or None if the id is taken."""
        found = await self._database.run(
            "insert into files (id, name, kind, format, sample_rate, channels, frames, bytes, sha256, blob_key,"
            " peak_db, loudness, origin) values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
            " on conflict do nothing returning *",
            (
                file_id,
                name,
                kind,
                facts.format,
                facts.sample_rate,
                facts.channels,
                facts.frames,
                facts.bytes,
                facts.sha256,
                blob_key,
                facts.peak_db,
                facts.loudness,
                Jsonb(origin),
            ),
        )
        return AudioRow(**found[0]) if found else None

    async def by_id(self, file_id: str) -> AudioRow | None:
        found = await self._database.run("select * from files where id = %s", (file_id,))
        return AudioRow(**found[0]) if found else None

    async def unknown(self, file_ids: Collection[str]) -> list[str]:
        """Return those of the ids that no file has."""
        rows = await self._database.run(
            "select id from unnest(%s::text[]) as id where not exists (select from files where files.id = id.id)",
            (list(file_ids),),
        )
        return [row["id"] for row in rows]

    async def newest(
        self,
        limit: int,
        before: tuple[datetime, str] | None,
        name_contains: str | None = None,
        kind: AudioKind | None = None,
    ) -> list[AudioRow]:
        """Return files, newest first, that are older than `before` and have this kind and this text in their names.

        The case of letters is ignored. `before` is the creation time and id of the last file on the previous page.
        """
        having = {"kind": kind} if kind is not None else None
        rows = await self._database.newest("files", "created_at", limit, before, ("name", name_contains), having)
        return [AudioRow(**row) for row in rows]

    async def delete(self, file_id: str) -> None:
        await self._database.run("delete from files where id = %s returning id", (file_id,))

    async def open_upload(
        self, file_id: str, name: str, recording_id: str | None, max_duration_s: float, expires_at: datetime
    ) -> None:
        await self._database.run(
            "insert into uploads (id, name, recording_id, max_duration_s, expires_at) values (%s, %s, %s, %s, %s)"
            " returning id",
            (file_id, name, recording_id, max_duration_s, expires_at),
        )

    async def upload(self, file_id: str) -> UploadRow | None:
        found = await self._database.run("select * from uploads where id = %s", (file_id,))
        return UploadRow(**found[0]) if found else None

    async def begin_upload(self, file_id: str, total_bytes: int | None, sender: str | None) -> None:
        """Note the size of the file that is uploaded, and the client that sends it."""
        await self._database.run(
            "update uploads set total_bytes = %s, sender = %s, error = null where id = %s returning id",
            (total_bytes, sender, file_id),
        )

    async def fail_upload(self, file_id: str, error: dict[str, Any]) -> None:
        """Note why the uploaded file cannot be used."""
        await self._database.run("update uploads set error = %s where id = %s returning id", (Jsonb(error), file_id))

    async def close_upload(self, file_id: str) -> None:
        await self._database.run("delete from uploads where id = %s returning id", (file_id,))

    async def stored_uploads(self) -> list[UploadRow]:
        """Return the uploads whose file is stored, but whose completion was interrupted after that."""
        found = await self._database.run("select * from uploads where id in (select id from files)", ())
        return [UploadRow(**row) for row in found]

    async def delete_expired_uploads(self) -> list[str]:
        """Delete the uploads that have expired without being stored, and return their ids."""
        found = await self._database.run(
            "delete from uploads where expires_at < clock_timestamp() and id not in (select id from files)"
            " returning id",
            (),
        )
        return [row["id"] for row in found]
