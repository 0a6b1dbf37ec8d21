"""Transcribe a recording in a worker, and store the MIDI file in midi-store.

The outcome of the worker, with the id of the file, is kept as a job's result. The file is stored when the answer is
made, so equal requests and get_job name the same file, and a file that was deleted is stored again.
"""

import base64
import zlib
from pathlib import PurePosixPath
from typing import Any

from consort_audio.analysis.service import Analyses
from consort_audio.files.library import AudioLibrary
from consort_audio.files.time_ranges import frame_range
from consort_audio.transcription.models import TranscribeAudio, TranscribedMusic
from consort_kit.errors import NotFound
from consort_kit.http.service_client import ServiceClient
from consort_kit.jobs.models import JobTicket
from consort_kit.storage.file_names import check_name, name_from_title

TOOL = "transcribe_audio"


class Transcriptions:
    def __init__(self, analyses: Analyses, library: AudioLibrary, client: ServiceClient) -> None:
        self._analyses = analyses
        self._library = library
        self._client = client
        analyses.finish_with(TOOL, self._answer)

    async def transcribe(self, request: TranscribeAudio) -> TranscribedMusic | JobTicket:
        """Write a MIDI file, or return the ticket of a job that is not finished in time."""
        row = await self._library.row(request.audio_file_id)
        frame_range(request.start_time, request.end_time, row)
        name = check_name(request.name, "name", "melody") if request.name is not None else None
        options = request.model_dump(mode="json", exclude_defaults=True, exclude={"audio_file_id", "wait_s", "name"})
        options["name"] = name or name_from_title(f"{PurePosixPath(row.name).stem} transcription", "")
        found = await self._analyses.listen(TOOL, [row], options, request.wait_s)
        return found if isinstance(found, JobTicket) else TranscribedMusic(**await self._answer(found, {}))

    async def _answer(self, outcome: dict[str, Any], _call: dict[str, Any]) -> dict[str, Any]:
        """Return the answer for a worker's outcome, with the id of the stored file."""
        kept = {field: value for field, value in outcome.items() if field not in ("midi", "notes", "name")}
        if "midi" in outcome:
            content = zlib.decompress(base64.b64decode(outcome["midi"]))
            kept["name"] = await self._stored(outcome["midi_file_id"], content, outcome["name"])
        if not kept.get("warnings"):
            kept.pop("warnings", None)
        return TranscribedMusic(**kept).model_dump(exclude_none=True)

    async def _stored(self, midi_file_id: str, content: bytes, name: str) -> str:
        """Store the file under its id, unless it is stored already, and return its name."""
        try:
            stored = await self._client.fetch(midi_file_id)
        except NotFound:
            file_name = name if name.lower().endswith((".mid", ".midi")) else f"{name}.mid"
            query = {"name": file_name, "if_taken": "number"}
            path = f"/files/{midi_file_id}"
            return str((await self._client.call("midi-store", "PUT", path, params=query, content=content))["name"])
        return stored.name or name
