"""compose_export_midi: perform, write, store."""

import base64
import secrets
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from consort_compose.composer.export.models import ComposeExportMidi, ExportedFile, ExportedScore, ExportMetadata
from consort_compose.composer.export.performance import PPQ, Humanize, perform
from consort_compose.composer.tonality import key_of
from consort_compose.scores.service import UNTITLED
from consort_kit.client import ServiceClient, error_of
from consort_kit.errors import AlreadyExists
from consort_kit.sandbox import name_from_title
from consort_music.midi.writer import write_midi
from consort_music.notation.abc_writer import write_abc
from consort_music.notation.to_midi import DEFAULT_BPM, score_to_midi
from consort_music.score import Score, seconds

MAX_BASE64_BYTES = 256 * 1024


@dataclass(frozen=True)
class Export:
    """A score played: the bytes, and what the answer tells of them."""

    title: str | None
    content: bytes
    seconds: float
    track_count: int
    tempo: float
    metadata: ExportMetadata
    abc: str | None


def export(score: Score, body: ComposeExportMidi) -> Export:
    if body.tempo is not None or not score.tempos:
        score = replace(score, tempos=((Fraction(0), Fraction(body.tempo or DEFAULT_BPM)),))
    seed = None
    humanize = None
    if body.humanize:
        seed = secrets.randbelow(2**32) if body.seed is None else body.seed
        humanize = Humanize(body.humanize_amount, seed)
    key = key_of(score)
    played = perform(score, body.velocity_curve, humanize)
    midi = score_to_midi(played, PPQ if humanize else None)
    return Export(
        title=score.title,
        content=write_midi(midi),
        seconds=round(seconds(score.tempos, score.length), 3),
        track_count=len(score.parts),
        tempo=float(score.tempos[0][1]),
        metadata=ExportMetadata(
            measures=len(score.bars) - (score.pickup > 0 and len(score.bars) > 1),
            time_signature=score.metre.name,
            key_signature=key.name,
            note_count=score.note_count,
            seed_used=seed,
        ),
        abc=write_abc(score if score.keys else replace(score, keys=((Fraction(0), key),)))
        if body.include_abc
        else None,
    )


async def store(client: ServiceClient, made: Export, name: str | None) -> dict[str, Any]:
    """What midi-store answers: the file's id, where it is, and a link."""
    query = {"name": name or name_from_title(made.title or UNTITLED, ".mid")}
    query |= {} if name else {"if_taken": "number"}
    answer = await client.request("midi-store", "POST", "/files", params=query, content=made.content)
    if answer.status_code != 201:
        error = error_of(answer)
        if error.body.code == AlreadyExists.default_code:  # there `overwrite` is offered, which this tool does not have
            error.body.message = (
                f"'name' is {name!r}, and a file of this name is stored already. Give another name, such as tune 2.mid."
            )
            error.body.suggestions = ["another name", "delete_midi the other file first"]
        raise error
    stored: dict[str, Any] = answer.json()
    return stored


def told(made: Export, stored: dict[str, Any], *, include_base64: bool) -> ExportedScore:
    small = len(made.content) <= MAX_BASE64_BYTES
    return ExportedScore(
        midi=ExportedFile(
            midi_file_id=stored["midi_file_id"],
            path=stored["path"],
            full_path=stored.get("full_path"),
            download_url=stored.get("download_url"),
            base64=base64.b64encode(made.content).decode() if include_base64 and small else None,
            duration_seconds=made.seconds,
            track_count=made.track_count,
            tempo=made.tempo,
        ),
        metadata=made.metadata,
        abc=made.abc,
    )
