"""Run render_strudel: render a script as a job, and store the sound in audio-svc.

An equal request (the same script, options, sounds and engine) gets the same job and so the same audio file.
"""

import hashlib
import io
import json
import wave
from typing import Any

from consort_kit.errors import NotFound, ServiceDown
from consort_kit.http.service_client import ServiceClient
from consort_kit.ids import new_id
from consort_kit.jobs.models import JobTicket
from consort_kit.jobs.service import JobProgress, JobService, job_ticket
from consort_kit.jobs.store import JobRow
from consort_kit.storage.file_names import check_name, name_from_title
from consort_strudel.engine import Engine, Evaluation
from consort_strudel.events.script_to_play import UNTITLED, FindProject, ScriptToPlay, find_script, invalid_script
from consort_strudel.events.voices import VoiceFinder
from consort_strudel.rendering.browser_program import HOW_TO_GET, find_browser
from consort_strudel.rendering.models import RenderedStrudel, RenderStrudel
from consort_strudel.rendering.render_report import report_of
from consort_strudel.rendering.renderer import (
    CHANNELS,
    SAMPLE_RATE,
    NoBrowser,
    Renderer,
    RenderKilled,
    RenderRefused,
    RenderRequest,
    ReportFraction,
    ScriptSound,
    UnknownVoice,
    VoiceSpan,
)
from consort_strudel.validation import Validator

KIND = "render_strudel"
TOOL = "render_strudel"
_RENDERER_VERSION = 4
"""Another version makes other sound, so it is part of a job's cache key."""
_OPTIONS = ("begin", "cycles", "tail", "seed", "voice")
_RENDERED, _STORED = 0.8, 0.95


class RenderService:
    def __init__(
        self,
        renderer: Renderer,
        engine: Engine,
        validator: Validator,
        find_project: FindProject,
        jobs: JobService,
        client: ServiceClient,
    ) -> None:
        self._renderer = renderer
        self._engine = engine
        self._validator = validator
        self._find_project = find_project
        self._jobs = jobs
        self._client = client
        jobs.register(KIND, self._run, self.answer, TOOL)

    async def aclose(self) -> None:
        await self._renderer.close()

    async def render(self, request: RenderStrudel) -> RenderedStrudel | JobTicket:
        """Render a script, or return the ticket of a job that is not finished in time."""
        job = await self.submit(await find_script(request, self._find_project), request)
        answer = await self._jobs.outcome(job, request.wait_s)
        return job_ticket(await self._jobs.wait(job.id, 0)) if answer is None else RenderedStrudel(**answer)

    async def submit(self, source: ScriptToPlay, request: RenderStrudel) -> JobRow:
        """Queue the render of a script with the options of a request, or return the job that made it before."""
        if find_browser() is None:
            raise no_browser()
        await self._check(source.script, request)
        name = check_name(request.name, "name", "groove") if request.name is not None else None
        options = {option: getattr(request, option) for option in _OPTIONS}
        parameters = {
            "audio_file_id": new_id("audio"),
            "script": source.script,
            "options": options,
            "format": request.format,
            "name": name or name_from_title(_title(source, request), ""),
            "source": {"project_name": source.name, "version": source.version} if source.name else {},
        }
        key = self._cache_key(parameters)
        job = await self._jobs.submit(KIND, parameters, key)
        if job.result is not None and not await self._is_stored(job.result["audio_file_id"]):
            await self._jobs.forget(job)  # the file was deleted, so render it again
            job = await self._jobs.submit(KIND, parameters, key)
        return job

    async def _check(self, script: str, request: RenderStrudel) -> None:
        """Run the script in the engine first, which reports errors and endless loops sooner than the browser."""
        evaluation = await self._engine.evaluate(script, request.begin, request.begin + 1)
        if evaluation.error is not None:
            raise await invalid_script(self._validator, script, "rendered", evaluation)

    def _cache_key(self, parameters: dict[str, Any]) -> str:
        wanted = [parameters[name] for name in ("script", "options", "format", "name", "source")]
        facts = json.dumps([_RENDERER_VERSION, self._renderer.library.fingerprint, wanted], sort_keys=True)
        return f"{KIND}:{hashlib.sha256(facts.encode()).hexdigest()}"

    async def _run(self, parameters: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
        """Do the work of a job and return its result. If its worker died, it is done again under the same id."""

        async def report(share: float) -> None:
            await progress(_RENDERED * share)

        rendering = await self._render(parameters, report)
        await progress(_RENDERED)
        await self._store(parameters, rendering)
        await progress(_STORED)
        return {
            "audio_file_id": parameters["audio_file_id"],
            **parameters["source"],
            **{field: value for field, value in report_of(rendering).items() if value is not None},
        }

    async def _render(self, parameters: dict[str, Any], on_progress: ReportFraction) -> ScriptSound:
        script, options = parameters["script"], parameters["options"]
        facts = await self._engine.parse(script)
        finder = VoiceFinder(facts)
        ranges = [VoiceSpan(voice.name, voice.start, voice.end) for voice in finder.voices]
        names = {finder.id_at(voice.start, voice.end): voice.name for voice in finder.voices}
        wanted = {**options, "voice": names.get(options["voice"], options["voice"])}
        try:
            request = RenderRequest(code=script, ranges=ranges, **wanted)
            return await self._renderer.render(request, on_progress)
        except NoBrowser as error:
            raise no_browser() from error
        except UnknownVoice as error:
            voices = ", ".join(error.voices)
            raise NotFound(
                f"'voice' is {options['voice']!r}, and the script has no such voice. Its voices: {voices}.",
                field="voice",
                suggestions=list(error.voices)[:10],
            ) from error
        except RenderRefused as error:
            failed = Evaluation(error=str(error), is_late=isinstance(error, RenderKilled))
            raise await invalid_script(self._validator, script, "rendered", failed) from error

    async def _store(self, parameters: dict[str, Any], rendering: ScriptSound) -> None:
        options, source = parameters["options"], parameters["source"]
        last = options["begin"] + options["cycles"] - 1
        query = {
            "name": parameters["name"],
            "format": parameters["format"],
            "instrument": f"Strudel, cycles {options['begin']} to {last}",
            "origin": json.dumps({**source, **{name: value for name, value in options.items() if value is not None}}),
        }
        await self._client.call(
            "audio",
            "PUT",
            f"/renders/{parameters['audio_file_id']}",
            params=query,
            content=wav_file(rendering),
            headers={"Content-Type": "audio/wav"},
        )

    async def _is_stored(self, audio_file_id: str) -> bool:
        try:
            await self._info(audio_file_id)
        except NotFound:
            return False
        return True

    async def _info(self, audio_file_id: str) -> dict[str, Any]:
        wanted = {"audio_file_id": audio_file_id}
        info: dict[str, Any] = await self._client.call("audio", "POST", "/tools/get_audio_info", json=wanted)
        return info

    async def answer(self, result: dict[str, Any]) -> dict[str, Any]:
        """Return a result with what is known about the file now, and links to it."""
        info = await self._info(result["audio_file_id"])
        known = {name: info.get(name) for name in ("name", "duration", "format", "peak", "loudness")}
        links = {name: info[name] for name in ("listen_url", "download_url")}
        return RenderedStrudel(**result, **known, **links).model_dump(exclude_none=True)


def wav_file(rendering: ScriptSound) -> bytes:
    """Return the sound as a WAV file."""
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(CHANNELS)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(rendering.samples)
    return content.getvalue()


def no_browser() -> ServiceDown:
    return ServiceDown(
        f"Rendering a script needs Chromium, and there is none on this machine. To get it: {HOW_TO_GET}. Until then, "
        "strudel_export_midi stores the notes as a MIDI file, and midi_to_audio makes sound of it.",
        code="BROWSER_MISSING",
        suggestions=[HOW_TO_GET, "strudel_export_midi, then midi_to_audio"],
    )


def _title(source: ScriptToPlay, request: RenderStrudel) -> str:
    parts = [source.name or UNTITLED, *([f"v{source.version}"] if source.version else [])]
    return " ".join([*parts, *([request.voice] if request.voice else [])])
