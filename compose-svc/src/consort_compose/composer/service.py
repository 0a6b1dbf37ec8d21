"""The steps of every composer tool: read the music, run the engine, store the score, return the answer."""

import asyncio
import math
from collections.abc import Callable, Iterable
from typing import Annotated, ParamSpec, TypeVar

from fastapi import Depends, Request

from consort_compose.composer.models import Composed, ComposerWarning
from consort_compose.composer.music_reading import SourceMusic
from consort_compose.composer.music_sources import ScoreSources
from consort_compose.scores.service import ScoreService
from consort_compose.songs.document.chord_plan import ChordPlan
from consort_kit.errors import InvalidInput
from consort_kit.http.service_client import ServiceClient
from consort_kit.processes.function_workers import FunctionWorkers
from consort_music.errors import MusicError
from consort_music.notation.note_list import format_note_list
from consort_music.score import Score

P = ParamSpec("P")
T = TypeVar("T")


class Composer:
    """Reads music, runs engines and stores scores for the composer tools."""

    def __init__(
        self,
        sources: ScoreSources,
        scores: ScoreService,
        client: ServiceClient,
        workers: FunctionWorkers,
        engine_s: float,
    ) -> None:
        self._sources = sources
        self._scores = scores
        self._workers = workers
        self.client = client
        self.engine_s = engine_s
        """Time limit of an engine, in seconds."""

    async def read(self, text: str, input_format: str | None, field: str) -> SourceMusic:
        return await self._sources.read(text, input_format, field)

    async def chord_plan(self, song_id: str, section: str | None) -> ChordPlan:
        """Return the chords planned in a song or in one of its sections."""
        return await self._sources.songs.chord_plan(song_id, section)

    async def compose(self, engine: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run an engine in a worker, which is killed after `engine_s`. Raise GENERATION_FAILED in that case."""
        limit = asyncio.timeout(self.engine_s)
        try:
            async with limit:
                return await self._workers.run(math.ceil(self.engine_s), engine, *args, **kwargs)
        except (TimeoutError, InvalidInput) as error:
            if isinstance(error, TimeoutError) and not limit.expired():
                raise
            raise MusicError(
                "GENERATION_FAILED",
                f"No result was found within {self.engine_s:g} seconds. Ask for fewer measures, options or chords, or "
                "try again when less is running.",
            ) from error

    async def keep(self, score: Score) -> str:
        """Store an additional score (`answer` stores the main one) and return its id."""
        return await self._scores.keep(score)

    async def answer(
        self, data: T, score: Score, warnings: Iterable[ComposerWarning | str] = (), *, is_new: bool = True
    ) -> Composed[T]:
        """Store the score and return the answer with its id.

        `is_new`: the music is new to the caller, so the answer contains the note list too.
        """
        return Composed(
            data=data,
            warnings=[
                warning if isinstance(warning, ComposerWarning) else ComposerWarning(code="INPUT", message=warning)
                for warning in warnings
            ],
            score_id=await self._scores.keep(score),
            note_list=format_note_list(score) if is_new else None,
        )


def _composer(request: Request) -> Composer:
    composer: Composer = request.app.state.composer
    return composer


TheComposer = Annotated[Composer, Depends(_composer)]
