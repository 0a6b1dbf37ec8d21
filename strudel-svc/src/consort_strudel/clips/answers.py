"""Clips as tools answer them."""

from typing import Any

from consort_strudel.clips.models.clips import Clip, ClipMetadata, ClipTags
from consort_strudel.clips.models.fields import TAG_LISTS, TAG_WORDS
from consort_strudel.clips.storage.rows import ClipRow


def tags_of(row: ClipRow) -> ClipTags:
    return ClipTags(**{name: getattr(row, name) for name in (*TAG_LISTS, *TAG_WORDS)})


def clip_fields(row: ClipRow) -> dict[str, Any]:
    """Return the fields of `Clip` and its subclasses."""
    tempo = [row.tempo_min, row.tempo_max] if row.tempo_min is not None and row.tempo_max is not None else None
    return dict(
        Clip(
            id=row.id,
            name=row.name,
            description=row.description,
            code=row.code,
            tags=tags_of(row),
            metadata=ClipMetadata(
                tempo_range=tempo,
                key=row.key,
                requires_packs=row.requires_packs,
                created=row.created_at,
                author=row.author,
            ),
            data=row.data,
        )
    )
