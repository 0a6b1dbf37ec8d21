"""Run compare_strudel: two renders, two measurements, one answer.

The renders are jobs of render_strudel, so one that was made before is not made again. The comparison is a job behind
them in the same queue, which waits until both are done, then asks audio-svc for the measures, which caches them, too.
"""

import json
from typing import Any

from consort_kit.errors import ServiceDown
from consort_kit.http.service_client import ServiceClient
from consort_kit.jobs.models import WAIT_S, JobTicket
from consort_kit.jobs.service import JobProgress, JobService, job_ticket
from consort_strudel.comparing.heard_change import heard_measures, summary_of
from consort_strudel.comparing.models import ComparedSound, ComparedStrudel, CompareStrudel
from consort_strudel.comparing.two_scripts import NamedScript, find_two_scripts
from consort_strudel.engine import Engine
from consort_strudel.events.cycle_time import beats_per_cycle
from consort_strudel.events.script_to_play import FindProject
from consort_strudel.projects.patches.outline import OutlineOf
from consort_strudel.rendering.models import RenderStrudel
from consort_strudel.rendering.service import RenderService

KIND = TOOL = "compare_strudel"
_VERSION = 1
"""Of the measures and words: part of the cache key."""
_TAIL_S = 1.0
_LONGEST_RENDER_S = 900.0
_MEASURES_PATH = "/measures"
_SIDES = ("before", "after")
_ABOUT_SOUNDS = ("silent_voices", "replaced_sounds", "missing_sounds", "failed_sounds")


class Comparing:
    def __init__(
        self,
        renders: RenderService,
        engine: Engine,
        find_project: FindProject,
        read_outline: OutlineOf,
        jobs: JobService,
        client: ServiceClient,
    ) -> None:
        self._renders = renders
        self._engine = engine
        self._find_project = find_project
        self._read_outline = read_outline
        self._jobs = jobs
        self._client = client
        jobs.register(KIND, self._run, self._answer, TOOL)

    async def compare(self, request: CompareStrudel) -> ComparedStrudel | JobTicket:
        """Compare two scripts, or return the ticket of a job that is not finished in time."""
        scripts = await find_two_scripts(request, self._find_project, self._read_outline)
        sides = [await self._side(script, request) for script in scripts]
        parameters = dict(zip(_SIDES, sides, strict=True))
        key = f"{KIND}:{_VERSION}:{json.dumps(parameters, sort_keys=True)}"
        job = await self._jobs.submit(KIND, parameters, key)
        answer = await self._jobs.outcome(job, request.wait_s)
        return job_ticket(await self._jobs.wait(job.id, 0)) if answer is None else ComparedStrudel(**answer)

    async def _side(self, script: NamedScript, request: CompareStrudel) -> dict[str, Any]:
        """Queue the render of one side, and return what its measurement needs."""
        source = script.source
        options = RenderStrudel(
            script_content=source.script,
            begin=request.begin,
            cycles=request.cycles,
            voice=request.voice,
            tail=_TAIL_S,
            name=None if source.name else script.what,
        )
        job = await self._renders.submit(source, options)
        evaluation = await self._engine.evaluate(source.script, request.begin, request.begin + 1)
        cycle_s = 1 / evaluation.cps
        beats = beats_per_cycle(await self._engine.parse(source.script), source.data)
        return {
            "what": script.what,
            "job_id": job.id,
            "music_s": request.cycles * cycle_s,
            "beat_s": cycle_s / float(beats),
        }

    async def _run(self, parameters: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
        result = {}
        for place, side in enumerate(_SIDES):
            result[side] = await self._heard(parameters[side])
            await progress((place + 1) / len(_SIDES))
        return result

    async def _heard(self, side: dict[str, Any]) -> dict[str, Any]:
        """Wait for the render of one side, and return it with its measures."""
        job = await self._jobs.wait(side["job_id"], _LONGEST_RENDER_S)
        render = await self._jobs.result(job, 0)
        if render is None:
            raise ServiceDown("The render is still not finished. Ask for fewer cycles, or try again later.")
        wanted = {name: side[name] for name in ("music_s", "beat_s")}
        measures = await self._measures({"audio_file_id": render["audio_file_id"], **wanted})
        if measures and render.get("turned_down"):
            measures["loudness"] += render["turned_down"]
        return {"what": side["what"], "render": render, "measures": measures}

    async def _measures(self, request: dict[str, Any]) -> dict[str, float]:
        while True:
            answer = await self._client.call("audio", "POST", _MEASURES_PATH, json={**request, "wait_s": WAIT_S})
            if "measures" in answer:
                return dict(answer["measures"])

    async def _answer(self, result: dict[str, Any]) -> dict[str, Any]:
        """Return a result with links, which would expire if they were stored."""
        before, after = (result[side]["measures"] for side in _SIDES)
        answer = ComparedStrudel(
            summary=summary_of(before, after),
            measures=heard_measures(before, after),
            before=await self._sound(result["before"]),
            after=await self._sound(result["after"]),
            warnings=[line for side in _SIDES for line in _warnings(side, result[side]["render"])] or None,
        )
        return answer.model_dump(exclude_none=True)

    async def _sound(self, side: dict[str, Any]) -> ComparedSound:
        render = await self._renders.answer(side["render"])
        return ComparedSound(
            what=side["what"],
            audio_file_id=render["audio_file_id"],
            listen_url=render["listen_url"],
            **{name: render[name] for name in _ABOUT_SOUNDS if name in render},
        )


def _warnings(side: str, render: dict[str, Any]) -> list[str]:
    """Return the warnings of a render, with the side; of both sides together nobody would know whose they are."""
    lines = [f"{side}: {line}" for line in render.get("warnings") or []]
    if render.get("turned_down"):
        lines.append(f"{side}: its loudness is given as before it was turned down.")
    return lines
