"""Transcribe a recording in a worker, and store the MIDI file in midi-store.

The outcome of the worker is kept as a job's result. Its file is stored when the answer is made. Equal answers, also
from get_job, name the same file as long as this process runs and the file exists.
"""

import base64
import hashlib
import zlib
from pathlib import PurePosixPath
from typing import Any

from consort_audio.analysis.service import Analyses
from consort_audio.files.library import AudioLibrary
from consort_audio.files.time_ranges import frame_range
from consort_audio.jobs.models import JobTicket
from consort_audio.transcription.models import TranscribeAudio, TranscribedMusic
from consort_kit.errors import NotFound
from consort_kit.http.service_client import ServiceClient, error_of
from consort_kit.storage.file_names import check_name, name_from_title

TOOL = "transcribe_audio"
_MOST_KNOWN = 1000


class Transcriptions:
    def __init__(self, analyses: Analyses, library: AudioLibrary, client: ServiceClient) -> None:
        self._analyses = analyses
        self._library = library
        self._client = client
        self._known: dict[str, str] = {}
        """The ids of stored files, by the hash of their name and content."""
        analyses.finish_with(TOOL, self._answer)

    async def transcribe(self, request: TranscribeAudio) -> TranscribedMusic | JobTicket:
        """Write a MIDI file, or return the ticket of a job that is not finished in time."""
        row = await self._library.row(request.audio_file_id)
        frame_range(request.start_time, request.end_time, row)
        name = check_name(request.name, "name", "melody") if request.name is not None else None
        options = request.model_dump(mode="json", exclude_defaults=True, exclude={"audio_file_id", "wait_s", "name"})
        options["name"] = name or name_from_title(f"{PurePosixPath(row.name).stem} transcription", "")
        found = await self._analyses.listen(TOOL, [row], options, request.wait_s)
        return found if isinstance(found, JobTicket) else TranscribedMusic(**found)

    async def _answer(self, outcome: dict[str, Any]) -> dict[str, Any]:
        """Return the answer for a worker's outcome, with the id of the stored file."""
        kept = {field: value for field, value in outcome.items() if field not in ("midi", "notes", "name")}
        if "midi" in outcome:
            content = zlib.decompress(base64.b64decode(outcome["midi"]))
            kept |= await self._stored(content, outcome["name"])
        if not kept.get("warnings"):
            kept.pop("warnings", None)
        return TranscribedMusic(**kept).model_dump(exclude_none=True)

    async def _stored(self, content: bytes, name: str) -> dict[str, str]:
        file_name = name if name.lower().endswith((".mid", ".midi")) else f"{name}.mid"
        key = hashlib.sha256(file_name.encode() + b"\0" + content).hexdigest()
        if (known := self._known.get(key)) and await self._exists(known):
            return {"midi_file_id": known, "name": file_name}
        query = {"name": file_name, "if_taken": "number"}
        response = await self._client.request("midi-store", "POST", "/files", params=query, content=content)
        if response.status_code not in (200, 201):
            raise error_of(response)
        stored = response.json()
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[key] = stored["midi_file_id"]
        return {"midi_file_id": stored["midi_file_id"], "name": stored["name"]}

    async def _exists(self, midi_file_id: str) -> bool:
        try:
            await self._client.fetch(midi_file_id)
        except NotFound:
            return False
        return True
