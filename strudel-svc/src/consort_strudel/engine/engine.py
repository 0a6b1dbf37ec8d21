"""The calls of the engine."""

import asyncio
import re
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from consort_strudel.engine.facts import ScriptFacts, facts_of
from consort_strudel.engine.pool import EnginePool
from consort_strudel.engine.worker import BUSY_SHARE, MEMORY_MB, EngineWorkerDied

_IN_IMAGE = Path(sys.prefix) / "share" / "consort-strudel-engine"
DEFAULT_FOLDER = _IN_IMAGE if _IN_IMAGE.is_dir() else Path(__file__).parents[3] / "engine"
"""The engine's folder: in the image, otherwise in the repository."""
TIME_LIMIT_S = 2.0
_BEYOND_16_BITS = re.compile(r"[\U00010000-\U0010ffff]")
_LARGE = 16 * 1024
_LONGER = 5
_MARGIN_S = 0.8
"""The worker ends a script itself after the time limit; after this much more it is killed."""
MOST_EVENTS = 20_000


@dataclass(frozen=True)
class PlayedEvent:
    begin: Fraction
    """In cycles."""
    end: Fraction
    duration: Fraction
    """In cycles, with `clip` and the like respected."""
    value: Any
    """A dict of controls, as a rule."""
    locations: tuple[tuple[int, int], ...]
    """The words of the script that made the event."""


@dataclass(frozen=True)
class Evaluation:
    events: tuple[PlayedEvent, ...] = ()
    event_count: int = 0
    """May be more than the events listed."""
    cps: float = 0.5
    """Cycles a second."""
    loaded: tuple[dict[str, Any], ...] = ()
    """The calls of `samples` and its like: `kind` and `values`."""
    messages: tuple[str, ...] = ()
    """What the engine logged: errors while it was asked for events are only found here."""
    error: str | None = None
    """Why the script cannot be evaluated."""
    is_late: bool = False
    """Whether the script takes too much time or memory, or plays too many events."""


@dataclass(frozen=True)
class EngineNames:
    functions: frozenset[str]
    values: frozenset[str]
    methods: frozenset[str]
    controls: frozenset[str]
    sounds: frozenset[str]
    chords: frozenset[str]
    """What may follow the root of a chord, such as `m7`; empty for major."""
    scales: frozenset[str]
    """The names of scales, such as `minor pentatonic`."""


class Engine:
    def __init__(self, folder: Path = DEFAULT_FOLDER, at_once: int = 2, time_limit_s: float = TIME_LIMIT_S) -> None:
        self._pool = EnginePool(folder, at_once)
        self._time_limit_s = time_limit_s
        self._names: EngineNames | None = None

    async def warm_up(self) -> None:
        await self._pool.warm_up()

    async def close(self) -> None:
        await self._pool.close()

    async def names(self) -> EngineNames:
        """Return every function, value, method, control and built-in sound that the engine knows."""
        if self._names is None:
            answer = await self._pool.ask({"op": "names"}, 10)
            self._names = EngineNames(**{name: frozenset(values) for name, values in answer["result"].items()})
        return self._names

    async def parse(self, script: str) -> ScriptFacts:
        """Return the facts of a script. A script that is too deep to be parsed has an error too."""
        try:
            answer = await self._within_time({"op": "facts", "script": _counted_alike(script)})
        except EngineWorkerDied:
            answer = {"ok": False, "stage": "engine"}
        if not answer["ok"]:
            what = "takes too long to be read" if answer.get("stage") == "time" else "is nested too deeply or too long"
            return facts_of(script, {"error": {"message": f"The script {what}. Make it simpler.", "offset": 0}})
        if len(script) > _LARGE:
            return await asyncio.to_thread(facts_of, script, answer["result"])  # other requests are served meanwhile
        return facts_of(script, answer["result"])

    async def _within_time(self, request: dict[str, Any]) -> dict[str, Any]:
        """Ask with the time limit. If the machine was too busy for the script, ask again with a longer limit.

        The longer limit gives the script about as much CPU time as it would have on a quiet machine.
        """
        limit_s = self._time_limit_s
        answer = await self._ask(request, limit_s)
        if answer.get("stage") == "time":
            share = answer["cpu_ms"] / (limit_s * 1000)
            if share < BUSY_SHARE:
                answer = await self._ask(request, limit_s * min(1 / max(share, 0.01), _LONGER))
        return answer

    async def _ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        return await self._pool.ask({**request, "time_limit_ms": int(limit_s * 1000)}, limit_s + _MARGIN_S)

    async def evaluate(self, script: str, begin: int, end: int, most: int = MOST_EVENTS) -> Evaluation:
        """Evaluate a script and return its events in the cycles from `begin` to `end`."""
        request = {"op": "events", "script": _counted_alike(script), "begin": begin, "end": end, "most": most}
        try:
            answer = await self._within_time(request)
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
        result = answer["result"]
        if "too_many" in result:
            return Evaluation(
                error=f"The script plays about {result['too_many']:,} events in a cycle, which is too many.",
                is_late=True,
            )
        if result["cps"] is None:  # not a number, or endless
            return Evaluation(error="setcpm needs a number.")
        return Evaluation(
            tuple(_event(row) for row in result["events"]),
            result["count"],
            result["cps"],
            tuple(result["loaded"]),
            tuple(line["text"] for line in result["lines"]),
        )


def _counted_alike(script: str) -> str:
    """Replace characters that JavaScript counts as two, such as emoji, so that offsets are the same as here."""
    return _BEYOND_16_BITS.sub("\ufffd", script)


_fraction = lru_cache(4096)(Fraction)
"""Times repeat, and reading one takes longer than finding it again."""


def _event(row: dict[str, Any]) -> PlayedEvent:
    return PlayedEvent(
        _fraction(row["begin"]),
        _fraction(row["end"]),
        _fraction(row["duration"]),
        row["value"],
        tuple((start, end) for start, end in row["locations"]),
    )
