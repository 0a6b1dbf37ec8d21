"""Fetch music, render it as a job, and add the sound to the audio files.

The job keeps the music itself, not only its id: a song may be edited or deleted before the job runs. An equal request
(the same bytes of music, name, options and soundfont) gets the same job and so the same file.
"""

import asyncio
import base64
import hashlib
import json
import zlib
from pathlib import Path
from typing import Any

from consort_audio.files.library import AudioLibrary
from consort_audio.files.store import AudioRow
from consort_audio.files.time_ranges import shown_seconds
from consort_audio.settings import AudioSettings
from consort_audio.synthesis.chosen_tracks import ChosenTracks, choose_tracks
from consort_audio.synthesis.models import MidiToAudio, RenderedAudio
from consort_audio.synthesis.render_names import default_name, shown_options
from consort_audio.synthesis.render_options import RenderOptions, RenderOutcome
from consort_audio.synthesis.render_pool import RenderPool
from consort_kit.errors import InvalidInput, NotFound, ServiceDown
from consort_kit.http.service_client import FetchedFile, ServiceClient
from consort_kit.ids import new_id, prefix_of
from consort_kit.jobs.models import JobTicket
from consort_kit.jobs.service import JobProgress, JobService, job_ticket
from consort_kit.processes.child_process import run_within_limits
from consort_kit.processes.work_limits import CHOOSE_TRACKS
from consort_kit.storage.file_names import check_name, name_from_title
from consort_music.errors import MusicError
from consort_music.instruments import DRUMS, INSTRUMENTS
from consort_music.midi.file_names import title_from_name
from consort_music.music_ids import MUSIC_ID_FIELDS
from consort_music.synth.soundfonts import describe_missing, find_soundfont

KIND = "render"
_ENGINE = 1
"""The version of the engine. Another version gives other sound, so it is part of a job's cache key."""

_RENDER_SHARE = 0.9
"""The part of a job that rendering is. The rest is to check the file and add it to the library."""


class SynthesisService:
    def __init__(self, jobs: JobService, library: AudioLibrary, client: ServiceClient, settings: AudioSettings) -> None:
        self._jobs = jobs
        self._library = library
        self._client = client
        self._settings = settings
        self._pool = RenderPool(settings.audio_jobs_at_once)
        jobs.register(KIND, self._run, self._answer, "midi_to_audio")

    async def aclose(self) -> None:
        await self._pool.aclose()

    async def render(self, request: MidiToAudio) -> RenderedAudio | JobTicket:
        """Render music, or return the ticket of a job that is not finished in time."""
        font = await self._soundfont()
        music = await self._fetch(request.midi_file_id)
        tracks = await self._choose_tracks(request, music.content)
        # compressing a large file takes a while
        parameters = await asyncio.to_thread(_job_parameters, request, music, tracks)
        key = _cache_key(parameters, font)
        job = await self._jobs.submit(KIND, parameters, key)
        if job.result is not None and await self._library.row_if_exists(job.result["audio_file_id"]) is None:
            await self._jobs.forget(job)  # the file was deleted, so render it again
            job = await self._jobs.submit(KIND, parameters, key)
        answer = await self._jobs.outcome(job, request.wait_s)
        if answer is None:
            return job_ticket(await self._jobs.wait(job.id, 0))
        kept = {name: value for name, value in answer.items() if name not in MUSIC_ID_FIELDS.values()}
        return RenderedAudio(**kept, **_source(request.midi_file_id))

    async def _soundfont(self) -> Path:
        """Return the soundfont. Raise ServiceDown (SYNTH_MISSING) if it or FluidSynth is not installed."""
        given, data = self._settings.soundfont, self._settings.data
        if problem := await asyncio.to_thread(describe_missing, given, data, "midi_to_audio"):
            raise ServiceDown(
                f"{problem} Until then, playback_midi plays music on a MIDI device, and export_midi gives a file for "
                "other programs.",
                code="SYNTH_MISSING",
                suggestions=[problem.partition("To get it: ")[2], "playback_midi", "export_midi"],
            )
        font = find_soundfont(given, data)
        assert font is not None
        return font

    async def _fetch(self, music_id: str) -> FetchedFile:
        try:
            return await self._client.fetch(music_id)
        except NotFound as error:
            error.body.field = "midi_file_id"
            raise

    async def _choose_tracks(self, request: MidiToAudio, content: bytes) -> ChosenTracks:
        mute, solo = request.mute or [], request.solo or []
        if not mute and not solo:
            return ChosenTracks([], [], [], [])
        skips_title = prefix_of(request.midi_file_id) != "midi"
        most = self._settings.midi_max_bytes
        return await run_within_limits(
            len(content), CHOOSE_TRACKS, choose_tracks, content, most, mute, solo, skips_title=skips_title
        )

    async def _run(self, parameters: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
        """Do the work of a job and return its result. If the job was done before, return the same result."""
        file_id: str = parameters["audio_file_id"]
        if (row := await self._library.row_if_exists(file_id)) is None:
            row = await self._make_file(file_id, parameters, progress)
        return {"audio_file_id": row.id, **row.origin}

    async def _make_file(self, file_id: str, parameters: dict[str, Any], progress: JobProgress) -> AudioRow:
        options: dict[str, Any] = parameters["options"]
        font = await self._soundfont()
        output = self._library.temporary_path(f".{options['format']}")
        wanted = RenderOptions(
            **options,
            soundfont=str(font),
            output=str(output),
            max_midi_bytes=self._settings.midi_max_bytes,
            max_duration_s=self._settings.audio_max_duration_s,
            max_bytes=self._settings.audio_max_bytes,
        )
        try:
            music = await asyncio.to_thread(_unpack, parameters["midi"])
            outcome = await self._pool.render(music, wanted, lambda done: progress(_RENDER_SHARE * done))
            origin = {
                **parameters["source"],
                "music_sha256": parameters["music_sha256"],
                "instrument": _instruments(outcome),
                "soundfont": font.resolve().stem,
                "loudness": outcome.loudness,
                "warnings": outcome.warnings,
                "options": options,
                "shown": parameters["shown"],
            }
            return await self._library.add(output, parameters["name"], "render", origin, file_id=file_id)
        except MusicError as error:
            raise InvalidInput(
                error.message, code=error.code, field=error.field or "midi_file_id", suggestions=error.suggestions
            ) from error
        finally:
            output.unlink(missing_ok=True)

    async def _answer(self, result: dict[str, Any]) -> dict[str, Any]:
        """Return a result with what is known about the file now, and links to it."""
        row = await self._library.row(result["audio_file_id"])
        links = self._library.links(row)
        return RenderedAudio(
            audio_file_id=row.id,
            **{field: result[field] for field in MUSIC_ID_FIELDS.values() if field in result},
            name=row.name,
            instrument=result["instrument"],
            duration=shown_seconds(row.duration),
            soundfont=result["soundfont"],
            format=row.format,
            sample_rate=row.sample_rate,
            loudness=result["loudness"],
            listen_url=links.listen_url,
            download_url=links.download_url(),
            warnings=result["warnings"] or None,
        ).model_dump(exclude_none=True)


def _job_parameters(request: MidiToAudio, music: FetchedFile, tracks: ChosenTracks) -> dict[str, Any]:
    instrument = request.instrument
    name = check_name(request.name, "name", "demo") if request.name is not None else None
    title = title_from_name(music.name) if music.name else "untitled"
    return {
        "audio_file_id": new_id("audio"),
        "midi": base64.b64encode(zlib.compress(music.content)).decode(),
        "music_sha256": hashlib.sha256(music.content).hexdigest(),
        "name": name or name_from_title(default_name(title, request, tracks), ""),
        "shown": shown_options(request, tracks),
        "source": _source(request.midi_file_id),
        "options": {
            "format": request.format,
            "sample_rate": request.sample_rate,
            "loudness": None if request.loudness == "off" else request.loudness,
            "reverb": request.reverb,
            "tail_s": request.tail,
            "program": None if instrument is None or instrument.is_drums else instrument.program,
            "is_drums": instrument is not None and instrument.is_drums,
            "count_in_bars": request.count_in,
            "metronome": request.metronome,
            "mute": tracks.mute,
            "solo": tracks.solo,
            "first_bar": request.first_bar,
            "last_bar": request.last_bar,
        },
    }


def _source(music_id: str) -> dict[str, str]:
    return {MUSIC_ID_FIELDS[prefix_of(music_id)]: music_id}


def _unpack(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))


def _cache_key(parameters: dict[str, Any], font: Path) -> str:
    wanted = [parameters[name] for name in ("music_sha256", "name", "options")]
    facts = [_ENGINE, font.resolve().name, font.stat().st_size, *wanted]
    return f"{KIND}:{hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()}"


def _instruments(outcome: RenderOutcome) -> str:
    names = [INSTRUMENTS[program].name for program in outcome.programs]
    return ", ".join([*names, *([DRUMS.name] * outcome.has_drums)]) or "none"
