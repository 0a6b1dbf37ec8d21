"""Save, change and delete clips. Code is validated by the real engine first."""

import asyncio
from dataclasses import replace
from typing import Any

from consort_kit import logs
from consort_kit.errors import InvalidInput, NotFound, TooLarge
from consort_kit.ids import new_id
from consort_strudel.clips.answers import tags_of
from consort_strudel.clips.models.clips import (
    ClipDeleted,
    ClipSaved,
    ClipTags,
    ClipUpdated,
    ClipUpdates,
    DeleteClip,
    SaveClip,
    UpdateClip,
)
from consort_strudel.clips.models.fields import MAX_CODE_BYTES, TAG_LISTS, TAG_WORDS
from consort_strudel.clips.storage.rows import ClipRow, ClipVector
from consort_strudel.clips.storage.store import ClipStore
from consort_strudel.clips.tagging import TAGGED_CYCLES, AutoTags, auto_tags
from consort_strudel.engine import Engine
from consort_strudel.projects.metadata import check_data, merged_data
from consort_strudel.similarity.code.plain_words import words_of
from consort_strudel.similarity.code.reading import Snippet, is_fragment, read_snippet
from consort_strudel.similarity.embedder import Embedder
from consort_strudel.validation import ScriptVerdict, Validator

_NEUTRAL = 'note("c3 e3 g3").s("sawtooth")'
_MOST_SHOWN = 5


class ClipChanges:
    def __init__(self, store: ClipStore, engine: Engine, validator: Validator, embedder: Embedder) -> None:
        self._store = store
        self._engine = engine
        self._validator = validator
        self._embedder = embedder

    async def save(self, request: SaveClip) -> ClipSaved:
        """Store a new clip. Raise VALIDATION_FAILED for code with errors."""
        given = request.clip_data
        verdict = await self._validated(given.code, "clip_data.code")
        row = _changed(ClipRow(new_id("clip"), "", "", ""), given, "clip_data")
        row = replace(row, data=check_data(given.data or {}, "clip_data.data"))
        suggested: ClipTags | None = None
        if request.auto_generate_tags:
            found = await self._tags(row.code)
            suggested = _suggested(found)
            row = _with_missing_tags(row, found)
        logs.add_ids(clip_id=row.id)
        snippet, vector = await self._embedded(row, "clip_data.code")
        await self._store.add(row, vector, words_of(snippet))
        return ClipSaved(
            clip_id=row.id,
            message=f"Saved {row.name!r}. search_clips and find_similar_clips find it.",
            suggested_tags=suggested,
            warnings=verdict.warnings[:_MOST_SHOWN] or None,
        )

    async def update(self, request: UpdateClip) -> ClipUpdated:
        """Change what is given. Raise VALIDATION_FAILED for code with errors."""
        if not request.updates.model_fields_set:
            raise InvalidInput(
                "Nothing is given to change. Give 'updates' with name, description, code, tags, metadata or data."
                ' Example: {"updates": {"tags": {"feeling": ["dark"]}}}.',
                field="updates",
            )
        verdict = None
        if request.updates.code is not None:
            verdict = await self._validated(request.updates.code, "updates.code")
        before = await self._store.find(request.clip_id)
        if before is None:
            raise no_clip(request.clip_id)
        async with self._store.locked(request.clip_id) as clip:
            if clip is not None:
                row = _changed(clip.row, request.updates, "updates")
                if request.updates.data is not None:
                    data = merged_data(row.data, request.updates.data, request.merge_data)
                    row = replace(row, data=check_data(data, "updates.data"))
                if row != clip.row:
                    row = replace(row, is_edited=row.library_name is not None)
                    snippet, vector = await self._embedded(row, "updates.code")
                    await clip.change(row, vector, words_of(snippet))
                changed = [name for name in _COLUMNS if getattr(row, name) != getattr(clip.row, name)]
        if clip is None:
            raise no_clip(request.clip_id)
        return ClipUpdated(
            message=f"Changed {', '.join(changed)} of {row.name!r}."
            if changed
            else "Nothing changed: the values are the same.",
            warnings=(verdict.warnings[:_MOST_SHOWN] if verdict else None) or None,
        )

    async def delete(self, request: DeleteClip) -> ClipDeleted:
        """Delete a clip. Raise CONFIRMATION_NEEDED unless `confirm` is true."""
        async with self._store.locked(request.clip_id) as clip:
            if clip is not None:
                if not request.confirm:
                    raise InvalidInput(
                        f"'confirm' must be true to delete the clip {clip.row.name!r}. Nothing was changed. It cannot"
                        " be restored: ask the user first.",
                        code="CONFIRMATION_NEEDED",
                        field="confirm",
                        suggestions=["confirm: true"],
                        details={"success": False, "clip_id": clip.row.id, "name": clip.row.name},
                    )
                await clip.delete()
        if clip is None:
            raise no_clip(request.clip_id)
        return ClipDeleted(message=f"Deleted the clip {clip.row.name!r}.")

    async def _validated(self, code: str, field: str) -> ScriptVerdict:
        if not code.strip():
            raise InvalidInput(f"'{field}' is empty. Give code such as s(\"bd*4\").", field=field)
        if len(code.encode()) > MAX_CODE_BYTES:
            raise TooLarge(
                f"'{field}' has over {MAX_CODE_BYTES // 1024} KB. A clip is a part of a song: save a shorter one.",
                field=field,
            )
        verdict = await self._validator.validate(code, fragment=is_fragment(code))
        if not verdict.valid:
            count = len(verdict.errors)
            raise InvalidInput(
                f"The code has {count} error{'s' * (count > 1)}, so nothing was saved. {verdict.errors[0].sentence}",
                code="VALIDATION_FAILED",
                field=field,
                suggestions=[error.suggestion for error in verdict.errors[:_MOST_SHOWN] if error.suggestion],
                details={"success": False, "validation": verdict.model_dump(exclude_none=True)},
            )
        return verdict

    async def _embedded(self, row: ClipRow, field: str) -> tuple[Snippet, ClipVector]:
        snippet = await read_snippet(self._engine, row.code, field)
        vector = await self._embedder.vector_of_clip(snippet, row.summary)
        return snippet, ClipVector(vector, self._embedder.model_id)

    async def _tags(self, code: str) -> AutoTags:
        whole = _NEUTRAL + code.lstrip() if is_fragment(code) else code
        facts, evaluation = await asyncio.gather(
            self._engine.parse(whole), self._engine.evaluate(whole, 0, TAGGED_CYCLES)
        )
        return await asyncio.to_thread(auto_tags, facts, evaluation, is_fragment(code))


_COLUMNS = (
    *("name", "description", "code", *TAG_LISTS, *TAG_WORDS, "tempo_min", "tempo_max", "key", "requires_packs"),
    *("author", "data"),
)


def no_clip(clip_id: str) -> NotFound:
    return NotFound(
        f"There is no clip {clip_id!r}. search_clips finds clips and their ids.",
        field="clip_id",
        suggestions=["search_clips"],
    )


def _changed(row: ClipRow, given: ClipUpdates, field: str) -> ClipRow:
    """Return a clip with what is given, except `data`. An empty text or list removes a value."""
    values: dict[str, Any] = {}
    if given.name is not None:
        if not given.name.strip():
            raise InvalidInput(
                f"'{field}.name' is empty. Give a short name, such as Rolling bass.", field=f"{field}.name"
            )
        values["name"] = given.name.strip()
    if given.description is not None:
        values["description"] = given.description.strip()
    if given.code is not None:
        values["code"] = given.code.strip()
    if given.tags is not None:
        tags = {name: getattr(given.tags, name) for name in (*TAG_LISTS, *TAG_WORDS)}
        values |= {name: tag for name, tag in tags.items() if tag is not None}
    if given.metadata is not None:
        for name in ("key", "author"):
            text = getattr(given.metadata, name)
            if text is not None:
                values[name] = text.strip() or None
        if given.metadata.requires_packs is not None:
            values["requires_packs"] = given.metadata.requires_packs
        if given.metadata.tempo_range is not None:
            values["tempo_min"], values["tempo_max"] = sorted(given.metadata.tempo_range)
    return replace(row, **values)


def _suggested(tags: AutoTags) -> ClipTags:
    return ClipTags(
        genre=[],
        feeling=tags.feeling,
        technique=tags.technique,
        instrument=tags.instrument,
        complexity=tags.complexity,
        element=tags.element,
    )


def _with_missing_tags(row: ClipRow, found: AutoTags) -> ClipRow:
    """Return a clip whose missing tags and metadata are those that its code suggests."""
    tags = tags_of(row)
    return replace(
        row,
        feeling=tags.feeling or found.feeling,
        technique=tags.technique or found.technique,
        instrument=tags.instrument or found.instrument,
        complexity=tags.complexity or found.complexity,
        element=tags.element or found.element,
        tempo_min=row.tempo_min or found.tempo,
        tempo_max=row.tempo_max or found.tempo,
        key=row.key or found.key,
        requires_packs=row.requires_packs or found.requires_packs,
    )
