"""How a composer tool works: music in, an engine, an answer whose score is kept."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Annotated, ParamSpec, TypeVar

from fastapi import Depends, Request

from consort_compose.composer.models import Composed, ComposerWarning
from consort_compose.composer.source import Source, Sources
from consort_compose.scores.service import ScoreService
from consort_compose.songs.chord_plan import ChordPlan
from consort_kit.client import ServiceClient
from consort_music.errors import MusicError
from consort_music.note_list import format_note_list
from consort_music.score import Score

P = ParamSpec("P")
T = TypeVar("T")


class Composer:
    def __init__(self, sources: Sources, scores: ScoreService, client: ServiceClient, engine_s: float) -> None:
        self._sources = sources
        self._scores = scores
        self.client = client
        self.engine_s = engine_s
        """How long an engine may take, in seconds."""

    async def read(self, text: str, input_format: str | None, field: str) -> Source:
        return await self._sources.read(text, input_format, field)

    async def chord_plan(self, song_id: str, section: str | None) -> ChordPlan:
        """The chords planned in a song or in one of its sections."""
        return await self._sources.songs.chord_plan(song_id, section)

    async def compose(self, engine: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run an engine beside the service's other work; raises GENERATION_FAILED where it takes too long."""
        limit = asyncio.timeout(self.engine_s)
        try:
            async with limit:
                return await asyncio.to_thread(engine, *args, **kwargs)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise MusicError(
                "GENERATION_FAILED",
                f"No result was found within {self.engine_s:g} seconds. Ask for fewer measures, options or chords, or "
                "try again when less is running.",
            ) from error

    async def keep(self, score: Score) -> str:
        """The id of a score that an answer shows beside its main one."""
        return await self._scores.keep(score)

    async def answer(
        self, data: T, score: Score, warnings: Iterable[ComposerWarning | str] = (), *, is_new: bool = True
    ) -> Composed[T]:
        """Keep the score and answer with its id. A note list is added only to music that the caller does not have."""
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
