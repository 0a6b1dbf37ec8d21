"""The calls of the engine."""

import asyncio
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from consort_kit.errors import ServiceDown
from consort_strudel.engine.evaluation import Evaluation, evaluation_of
from consort_strudel.engine.facts import ScriptFacts, facts_of
from consort_strudel.engine.pool import EnginePool
from consort_strudel.engine.worker import ENOUGH_SHARE, MEMORY_MB, EngineWorkerDied

_IN_IMAGE = Path(sys.prefix) / "share" / "consort-strudel-engine"
DEFAULT_FOLDER = _IN_IMAGE if _IN_IMAGE.is_dir() else Path(__file__).parents[3] / "engine"
"""The engine's folder: in the image, otherwise in the repository."""
TIME_LIMIT_S = 1.8
"""With the margin and the rest of a call, an endless loop is reported within 3 s."""
_NAMES_S = 5.0
"""The time limit of reading all names, which happens once and takes more than a script."""
_BEYOND_16_BITS = re.compile(r"[\U00010000-\U0010ffff]")
_LARGE = 16 * 1024
_LONGER = 5
_LENGTH_WITH_FULL_TIME = 128 * 1024
"""A script of so many characters may take its whole time limit as CPU time."""
_MARGIN_S = 0.5
"""The worker ends a script itself after the time limit; after this much more it is killed."""
MOST_EVENTS = 20_000


@dataclass(frozen=True)
class EngineNames:
    functions: frozenset[str]
    values: frozenset[str]
    methods: frozenset[str]
    controls: frozenset[str]
    sounds: frozenset[str]
    voicings: Mapping[str, frozenset[str]]
    """The symbols of each dictionary of voicings: what may follow the root of a chord (`m7`); empty for major."""
    scales: frozenset[str]
    """The names of scales, such as `minor pentatonic`."""


class Engine:
    def __init__(self, folder: Path = DEFAULT_FOLDER, at_once: int = 2, time_limit_s: float = TIME_LIMIT_S) -> None:
        self._pool = EnginePool(folder, at_once)
        self._time_limit_s = time_limit_s
        self._names: EngineNames | None = None
        self._reading_names = asyncio.Lock()

    async def warm_up(self) -> None:
        await self._pool.warm_up()

    async def close(self) -> None:
        await self._pool.close()

    async def names(self) -> EngineNames:
        """Return every function, value, method, control and built-in sound that the engine knows."""
        async with self._reading_names:
            if self._names is None:
                self._names = await self._read_names()
        return self._names

    async def _read_names(self) -> EngineNames:
        try:
            answer = await self._within_time({"op": "names"}, _NAMES_S)
        except EngineWorkerDied:
            answer = {"ok": False}
        if not answer["ok"]:
            raise ServiceDown("The Strudel engine did not answer in time. Try again in a moment.", code="ENGINE_BUSY")
        lists = dict(answer["result"])
        voicings = {name: frozenset(symbols) for name, symbols in lists.pop("voicings").items()}
        return EngineNames(voicings=voicings, **{name: frozenset(values) for name, values in lists.items()})

    async def parse(self, script: str) -> ScriptFacts:
        """Return the facts of a script. A script that is too deep to be parsed has an error too."""
        try:
            answer = await self._within_time({"op": "facts", "script": _counted_alike(script)}, self._time_limit_s)
        except EngineWorkerDied:
            answer = {"ok": False, "stage": "engine"}
        if not answer["ok"]:
            what = "takes too long to be read" if answer.get("stage") == "time" else "is nested too deeply or too long"
            return facts_of(script, {"error": {"message": f"The script {what}. Make it simpler.", "offset": 0}})
        if len(script) > _LARGE:
            return await asyncio.to_thread(facts_of, script, answer["result"])  # other requests are served meanwhile
        return facts_of(script, answer["result"])

    async def _within_time(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        """Ask with a time limit. If the machine was too busy for the script, ask again with a longer limit.

        The longer limit gives the script as much CPU time as honest ones of its length need on a quiet machine.
        """
        answer = await self._ask(request, limit_s)
        if answer.get("stage") == "time":
            share = answer["cpu_ms"] / (limit_s * 1000)
            enough = min(ENOUGH_SHARE + len(request.get("script", "")) / _LENGTH_WITH_FULL_TIME, 1)
            if share < enough:
                answer = await self._ask(request, limit_s * min(enough / max(share, 0.01), _LONGER))
        return answer

    async def _ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        return await self._pool.ask({**request, "time_limit_ms": int(limit_s * 1000)}, limit_s + _MARGIN_S)

    async def evaluate(self, script: str, begin: int, end: int, most: int = MOST_EVENTS) -> Evaluation:
        """Evaluate a script and return its events in the cycles from `begin` to `end`."""
        request = {"op": "events", "script": _counted_alike(script), "begin": begin, "end": end, "most": most}
        try:
            answer = await self._within_time(request, self._time_limit_s)
        except EngineWorkerDied:
            return Evaluation(
                error=f"The script takes over {self._time_limit_s:g} s or {MEMORY_MB} MB. Make it simpler.",
                is_late=True,
            )
        if not answer["ok"]:
            if answer.get("stage") == "time":
                return Evaluation(
                    error=f"The script takes over {self._time_limit_s:g} s: it may have an endless loop, or play too "
                    "many events.",
                    is_late=True,
                )
            return Evaluation(error=answer["error"])
        return evaluation_of(answer["result"])


def _counted_alike(script: str) -> str:
    """Replace characters that JavaScript counts as two, such as emoji, so that offsets are the same as here."""
    return _BEYOND_16_BITS.sub("\ufffd", script)
