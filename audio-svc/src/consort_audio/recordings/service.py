"""Ask for recordings, report what became of them, and do what the recording page asks for."""

import asyncio
import hashlib
import hmac
import math
import secrets
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from consort_audio.analysis.service import Analyses
from consort_audio.files.library import EXAMPLE_NAME, AudioLibrary
from consort_audio.files.store import AudioRow
from consort_audio.files.time_ranges import shown_seconds
from consort_audio.files.uploads import Uploads
from consort_audio.recordings.models import (
    FASTEST,
    SLOWEST,
    GetRecording,
    RecordingReport,
    ReferenceState,
    RequestAudioRecording,
    RequestedRecording,
    TakeDetails,
    TakeUpload,
)
from consort_audio.recordings.references import References
from consort_audio.recordings.start_timing import StartTiming
from consort_audio.recordings.store import RecordingRow, RecordingStore
from consort_kit import logs
from consort_kit.errors import AlreadyExists, Forbidden, NotFound
from consort_kit.http.signed_links import Links
from consort_kit.ids import new_id
from consort_kit.storage.file_names import check_name, name_from_title

LIFETIME = timedelta(hours=24)
"""How long a requested recording can be made."""
DEFAULT_TIMING = StartTiming(100.0, "4/4")
_NAME_LENGTH = 60
_POLL_S = 0.5


@dataclass(frozen=True)
class PageLinks:
    """The links that a recording page may use."""

    take: str
    """Opens the upload of a take."""
    reference: str | None
    """Returns the sound to hear first."""


class RecordingService:
    def __init__(
        self,
        store: RecordingStore,
        library: AudioLibrary,
        uploads: Uploads,
        analyses: Analyses,
        references: References,
        links: Links,
    ) -> None:
        self._store = store
        self._library = library
        self._uploads = uploads
        self._analyses = analyses
        self._references = references
        self._links = links

    async def request(self, request: RequestAudioRecording) -> RequestedRecording:
        options = request.model_dump(include={"reference_id", "count_in", "metronome"})
        options["tempo"], options["time_signature"] = await self._timing_of_clicks(request)
        if request.name is None:
            options["name"] = name_from_title(request.prompt[:_NAME_LENGTH], ".wav")
        else:
            options["name"] = check_name(request.name, "name", EXAMPLE_NAME)
        recording_id, token = new_id("rec"), secrets.token_urlsafe(24)
        logs.add_ids(recording_id=recording_id)
        row = await self._store.add(
            recording_id, request.prompt, request.max_duration, options, _hash(token), datetime.now(UTC) + LIFETIME
        )
        return RequestedRecording(
            prompt=row.prompt,
            max_duration=row.max_duration_s,
            tempo=row.options["tempo"],
            time_signature=row.options["time_signature"],
            recording_id=row.id,
            record_url=self._link(row, "page", token),
            expires_at=row.expires_at,
        )

    async def _timing_of_clicks(self, request: RequestAudioRecording) -> StartTiming:
        """Return the tempo and metre of the clicks: as requested, or those of the reference."""
        found = await self._references.timing(request.reference_id) if request.reference_id is not None else None
        tempo, time_signature = found or DEFAULT_TIMING
        return StartTiming(
            request.tempo or (tempo if SLOWEST <= tempo <= FASTEST else DEFAULT_TIMING.tempo),
            request.time_signature.name if request.time_signature else time_signature,
        )

    async def get(self, request: GetRecording) -> RecordingReport:
        deadline = time.monotonic() + request.wait_s
        while True:
            row = await self._row(request.recording_id)
            if row.audio_file_id is not None:
                return await self._report_of_completed(row, row.audio_file_id)
            if row.is_expired:
                return RecordingReport(status="expired", recording_id=row.id, prompt=row.prompt)
            left = deadline - time.monotonic()
            if left <= 0:
                return RecordingReport(
                    status="recording_requested", recording_id=row.id, prompt=row.prompt, expires_at=row.expires_at
                )
            await asyncio.sleep(min(left, _POLL_S))

    async def _report_of_completed(self, row: RecordingRow, audio_file_id: str) -> RecordingReport:
        audio = await self._library.row_if_exists(audio_file_id)
        if audio is None:
            raise NotFound(
                f"The audio file {audio_file_id} of this recording was deleted. Call request_audio_recording again.",
                field="recording_id",
                suggestions=["request_audio_recording"],
            )
        links = self._library.links(audio)
        details = row.details.get(audio_file_id)
        return RecordingReport(
            status="completed",
            recording_id=row.id,
            audio_file_id=audio.id,
            duration=shown_seconds(audio.duration),
            listen_url=links.listen_url,
            download_url=links.download_url(),
            take=TakeDetails(**details) if details else None,
            analyses=await self._analyses.finished_baseline(audio.sha256) or None,
        )

    async def complete(self, recording_id: str, audio: AudioRow) -> None:
        """Make a finished upload the file of its recording. Raise AlreadyExists if it has another one."""
        if not await self._store.complete(recording_id, audio.id):
            raise _already_made()

    async def open(self, recording_id: str, token: str) -> RecordingRow:
        """Return a recording that can still be made, for its page.

        Raise Forbidden if the token is not the one of its link or the request has expired, and AlreadyExists if the
        recording has been made.
        """
        row = await self._store.by_id(recording_id)
        if row is None or not hmac.compare_digest(row.token_sha256, _hash(token)):
            raise Forbidden("This link is not valid: it was altered or cut off. Ask for a new recording.")
        if row.audio_file_id is not None:
            raise _already_made()
        if row.is_expired:
            raise Forbidden("This request for a recording has expired. Ask for a new one.", code="LINK_EXPIRED")
        return row

    def page_links(self, row: RecordingRow, token: str) -> PageLinks:
        reference = self._link(row, "reference", token) if row.options["reference_id"] else None
        return PageLinks(self._link(row, "take", token, method="PUT"), reference)

    async def open_upload(self, recording_id: str, token: str, details: TakeDetails) -> TakeUpload:
        """Return a link to upload one take."""
        row = await self.open(recording_id, token)
        upload = await self._uploads.open(
            row.options["name"], max_duration_s=row.max_duration_s + 1, recording_id=row.id
        )
        await self._store.set_details(row.id, upload.audio_file_id, details.model_dump(exclude_none=True))
        return TakeUpload(audio_file_id=upload.audio_file_id, upload_url=upload.url, expires_at=upload.expires_at)

    async def reference(self, recording_id: str, token: str) -> ReferenceState:
        """Return a link to the sound of the reference, or how much of it is rendered."""
        row = await self.open(recording_id, token)
        reference_id = row.options["reference_id"]
        if reference_id is None:
            raise NotFound("This recording has no reference to listen to.")
        return await self._references.sound(reference_id)

    async def _row(self, recording_id: str) -> RecordingRow:
        row = await self._store.by_id(recording_id)
        if row is None:
            raise NotFound(
                f"'recording_id' is {recording_id}, and there is no such recording. Use the recording_id that "
                "request_audio_recording returned.",
                field="recording_id",
                suggestions=["request_audio_recording"],
            )
        return row

    def _link(self, row: RecordingRow, part: str, token: str, *, method: str = "GET") -> str:
        lifetime_s = math.ceil((row.expires_at - datetime.now(UTC)).total_seconds())
        path = f"/recordings/{row.id}/{part}"
        return self._links.make("audio", path, {"token": token}, method=method, lifetime_s=lifetime_s).url


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _already_made() -> AlreadyExists:
    return AlreadyExists(
        "This recording has already been made. A link works for one recording.",
        code="ALREADY_RECORDED",
    )
