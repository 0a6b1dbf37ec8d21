"""Cut segments out of audio files and store them as new files. A segment of a long file is cut as a job."""

from pathlib import PurePosixPath
from typing import Any

from consort_audio.codecs.child_calls import cut_in_child
from consort_audio.files.children import AudioChildren
from consort_audio.files.library import EXAMPLE_NAME, AudioLibrary
from consort_audio.files.models import AudioSegment, SegmentAudio
from consort_audio.files.store import AudioRow
from consort_audio.files.time_ranges import frame_range, shown_seconds
from consort_kit.errors import InvalidInput
from consort_kit.ids import new_id
from consort_kit.jobs.models import JobTicket
from consort_kit.jobs.service import JobProgress, JobService, job_ticket
from consort_kit.storage.file_names import check_name, name_from_title

KIND = "segment"
QUICK_S = 1200
"""Files of up to this duration are cut within seconds. Longer ones may take a minute, so that they need a job."""


class AudioSegments:
    def __init__(self, library: AudioLibrary, children: AudioChildren, jobs: JobService) -> None:
        self._library = library
        self._children = children
        self._jobs = jobs
        jobs.register(KIND, self._run, self._answer, "segment_audio")

    async def cut(self, request: SegmentAudio) -> AudioSegment | JobTicket:
        """Cut a segment, or return the ticket of a job that is not finished in time."""
        row = await self._library.row(request.audio_file_id)
        parameters = _job_parameters(request, row)
        if row.duration <= QUICK_S:
            return AudioSegment(**await self._answer(await self._cut(parameters)))
        job = await self._jobs.submit(KIND, parameters)
        answer = await self._jobs.outcome(job, request.wait_s)
        return AudioSegment(**answer) if answer is not None else job_ticket(await self._jobs.wait(job.id, 0))

    async def _run(self, parameters: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
        """Do the work of a job and return its result. If the job was done before, return the same result."""
        return await self._cut(parameters)

    async def _cut(self, parameters: dict[str, Any]) -> dict[str, Any]:
        file_id: str = parameters["new_audio_file_id"]
        if await self._library.row_if_exists(file_id) is None:
            row = await self._library.row(parameters["origin"]["audio_file_id"])
            target = self._library.temporary_path(".segment")
            try:
                async with self._library.local_file(row) as source:
                    facts = await self._children.run(cut_in_child, source, target, *parameters["frames"])
                origin, name = parameters["origin"], parameters["name"]
                await self._library.add(target, name, "segment", origin, file_id=file_id, facts=facts)
            finally:
                target.unlink(missing_ok=True)
        return {"new_audio_file_id": file_id}

    async def _answer(self, result: dict[str, Any]) -> dict[str, Any]:
        """Return a result with what is known about the file now, and links to it."""
        made = await self._library.row(result["new_audio_file_id"])
        links = self._library.links(made)
        return AudioSegment(
            new_audio_file_id=made.id,
            audio_file_id=made.id,
            original_audio_file_id=made.origin["audio_file_id"],
            name=made.name,
            start_time=made.origin["start_time"],
            end_time=made.origin["end_time"],
            duration=shown_seconds(made.duration),
            format=made.format,
            listen_url=links.listen_url,
            download_url=links.download_url(),
        ).model_dump(exclude_none=True)


def _job_parameters(request: SegmentAudio, row: AudioRow) -> dict[str, Any]:
    """Check a request and return what a job needs. Raise InvalidInput for a wrong name, range or fade."""
    name = check_name(request.name, "name", EXAMPLE_NAME) if request.name is not None else None
    start, end = frame_range(request.start_time, request.end_time, row)
    # bounded first, because the product of a huge number and the rate is infinite
    fades = (min(seconds, row.duration + 1) for seconds in (request.fade_in, request.fade_out))
    fade_in, fade_out = (round(seconds * row.sample_rate) for seconds in fades)
    if fade_in + fade_out > end - start:
        raise InvalidInput(
            f"'fade_in' and 'fade_out' are {request.fade_in:g} s and {request.fade_out:g} s, together longer than "
            f"the segment of {(end - start) / row.sample_rate:g} s. Give shorter fades, for example 0.05.",
            field="fade_out" if request.fade_out else "fade_in",
            suggestions=["shorter fades"],
        )
    start_time, end_time = shown_seconds(start / row.sample_rate), shown_seconds(end / row.sample_rate)
    default = name_from_title(f"{PurePosixPath(row.name).stem} {start_time:g}-{end_time:g} s", "")
    return {
        "new_audio_file_id": new_id("audio"),
        "name": name or default,
        "frames": [start, end, fade_in, fade_out],
        "origin": {"audio_file_id": row.id, "start_time": start_time, "end_time": end_time},
    }
