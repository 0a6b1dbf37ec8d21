"""Answer identify_pattern."""

import asyncio

from consort_strudel.clips.service import ClipSearch
from consort_strudel.clips.storage.rows import ClipRow
from consort_strudel.engine import Engine
from consort_strudel.knowledge.identify.labels import LEAST_FIT, CodeLabel, CodeLabels, label_parts
from consort_strudel.knowledge.identify.models import IdentifiedPattern, IdentifiedPatterns, IdentifyPattern
from consort_strudel.knowledge.identify.parts import CodePart, parts_of
from consort_strudel.knowledge.identify.ranking import CodeExemplar, CodeIndex
from consort_strudel.knowledge.identify.vocabulary import read_vocabulary
from consort_strudel.knowledge.vocabulary import Concept, concepts
from consort_strudel.similarity.code.reading import Snippet, read_snippet, read_snippets
from consort_strudel.validation.written.quotes import with_mini_quotes

_CLIPS_COMPARED = 8
_TAGS = 5
_SHOWN_CODE = 120
_FIELD = "code_snippet"


class PatternKnowledge:
    def __init__(self, engine: Engine, clips: ClipSearch) -> None:
        self._engine = engine
        self._clips = clips
        self._index: CodeIndex | None = None
        self._reading = asyncio.Lock()

    async def identify(self, request: IdentifyPattern) -> IdentifiedPatterns:
        """Return what code does. Raise SYNTAX_ERROR if it cannot be parsed."""
        snippet = await self._read(request.code_snippet)
        index = await self._vocabulary()
        rows = await self._clips.nearest(snippet, _CLIPS_COMPARED)
        exemplars = await self._exemplars(rows)

        def labelled() -> tuple[list[CodePart], CodeLabels]:
            parts = parts_of(snippet)
            return parts, label_parts(index, parts, request.top_k, exemplars)

        parts, found = await asyncio.to_thread(labelled)
        known = {concept.id: concept for concept in concepts()}
        by_id = {row.id: row for row in rows}
        return IdentifiedPatterns(
            identified_patterns=[
                _of_clip(by_id[label.subject], label, parts)
                if label.subject in by_id
                else _of_concept(known[label.subject], label, parts)
                for label in found.labels
            ],
            unknown_parts=[parts[place].code[:_SHOWN_CODE] for place in found.unknown] or None,
            message=_message(found),
        )

    async def _read(self, code: str) -> Snippet:
        """Return a snippet in which mini-notation has double quotes, as it was meant."""
        snippet = await read_snippet(self._engine, code, _FIELD)
        quoted = with_mini_quotes(snippet.facts)[snippet.start :]
        if quoted == snippet.facts.script[snippet.start :]:
            return snippet
        return await read_snippet(self._engine, quoted, _FIELD)

    async def _vocabulary(self) -> CodeIndex:
        async with self._reading:
            if self._index is None:
                self._index = await read_vocabulary(self._engine)
            return self._index

    async def _exemplars(self, rows: list[ClipRow]) -> list[CodeExemplar]:
        snippets = await read_snippets(self._engine, [row.code for row in rows])
        return [
            CodeExemplar(row.id, tuple(parts_of(snippet)))
            for row, snippet in zip(rows, snippets, strict=True)
            if snippet is not None
        ]


def _of_concept(concept: Concept, label: CodeLabel, parts: list[CodePart]) -> IdentifiedPattern:
    return IdentifiedPattern(
        concept=concept.name,
        description=concept.description,
        similarity_score=round(label.fit, 2),
        tags=[concept.category, *concept.terms.get("en", ())][:_TAGS],
        source="vocab",
        source_id=concept.id,
        part=_code_of(label, parts),
    )


def _of_clip(row: ClipRow, label: CodeLabel, parts: list[CodePart]) -> IdentifiedPattern:
    tags = [row.element, *row.technique, *row.genre, *row.feeling, *row.instrument]
    return IdentifiedPattern(
        concept=row.name,
        description=row.description,
        similarity_score=round(label.fit, 2),
        tags=list(dict.fromkeys(tag for tag in tags if tag))[:_TAGS],
        source="clip",
        source_id=row.id,
        part=_code_of(label, parts),
    )


def _code_of(label: CodeLabel, parts: list[CodePart]) -> str | None:
    """Return the code that a label is about, or None if it is about all of it."""
    if len(label.parts) == len(parts):
        return None
    return " ".join(parts[place].code for place in label.parts)[:_SHOWN_CODE]


def _message(found: CodeLabels) -> str | None:
    if not found.labels:
        return "No concept and no clip is like this code. get_function_info explains its functions."
    if max(label.fit for label in found.labels) < LEAST_FIT:
        return "Nothing that is known is much like this code; these are guesses. get_function_info explains functions."
    return None
