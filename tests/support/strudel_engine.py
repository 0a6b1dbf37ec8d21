"""The real Strudel engine for tests that are not asynchronous."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from consort_strudel.engine import Engine, EngineNames, Evaluation, ScriptFacts
from consort_strudel.validation import ScriptVerdict, Validator
from tests.support.strudel_rendering import build_engine

Result = TypeVar("Result")


class RunningEngine:
    """An engine in a separate event loop."""

    def __init__(self, runner: asyncio.Runner, engine: Engine) -> None:
        self._runner = runner
        self.engine = engine
        self._validator = Validator(engine)

    def run(self, action: Callable[[Engine], Awaitable[Result]]) -> Result:
        async def awaited() -> Result:
            return await action(self.engine)

        return self._runner.run(awaited())

    def parse(self, script: str) -> ScriptFacts:
        return self.run(lambda engine: engine.parse(script))

    def evaluate(self, script: str, begin: int, end: int) -> Evaluation:
        return self.run(lambda engine: engine.evaluate(script, begin, end))

    def names(self) -> EngineNames:
        return self.run(lambda engine: engine.names())

    def validate(self, script: str, fragment: bool = False) -> ScriptVerdict:
        return self.run(lambda engine: self._validator.validate(script, fragment))

    def explain(self, script: str, failed: Evaluation) -> ScriptVerdict:
        return self.run(lambda engine: self._validator.explain(script, failed))

    def validate_all(self, scripts: list[str], fragments: bool = False) -> list[ScriptVerdict]:
        async def together(engine: Engine) -> list[ScriptVerdict]:
            return list(await asyncio.gather(*(self._validator.validate(script, fragments) for script in scripts)))

        return self.run(together)


@contextmanager
def running_engine(time_limit_s: float = 30.0) -> Iterator[RunningEngine]:
    """Build the engine if needed, and run it."""
    build_engine("realm", "tunings", "functions")
    with asyncio.Runner() as runner:
        engine = Engine(time_limit_s=time_limit_s)
        try:
            yield RunningEngine(runner, engine)
        finally:
            runner.run(engine.close())
