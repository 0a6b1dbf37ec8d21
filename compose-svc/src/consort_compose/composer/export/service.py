"""Run `compose_export_midi`: perform the score, write the MIDI file, store it, and fill the output models."""

import base64
import secrets
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from consort_compose.composer.export.models import ComposeExportMidi, ExportedFile, ExportedScore, ExportMetadata
from consort_compose.composer.export.performance import PPQ, HumanizeSettings, perform
from consort_compose.composer.tonality import key_of
from consort_compose.scores.service import UNTITLED
from consort_kit.http.midi_files import store_new_midi_file
from consort_kit.http.service_client import ServiceClient
from consort_kit.storage.file_names import name_from_title
from consort_music.midi.writer import write_midi
from consort_music.notation.abc.writer import write_abc
from consort_music.notation.to_midi import DEFAULT_BPM, score_to_midi
from consort_music.score import Score, seconds

MAX_BASE64_BYTES = 256 * 1024


@dataclass(frozen=True)
class Export:
    """The bytes of the MIDI file, and the data for the answer."""

    title: str | None
    content: bytes
    seconds: float
    track_count: int
    tempo: float
    metadata: ExportMetadata
    abc: str | None


def make_export(score: Score, body: ComposeExportMidi) -> Export:
    """Apply tempo, velocity curve and humanizing from the body, and write the score as MIDI."""
    if body.tempo is not None or not score.tempos:
        score = replace(score, tempos=((Fraction(0), Fraction(body.tempo or DEFAULT_BPM)),))
    seed = None
    humanize = None
    if body.humanize:
        seed = secrets.randbelow(2**32) if body.seed is None else body.seed
        humanize = HumanizeSettings(body.humanize_amount, seed)
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


async def store_export(client: ServiceClient, made: Export, name: str | None) -> dict[str, Any]:
    """Store the file in midi-store and return its answer, which has the file's id, path and link.

    Raise AlreadyExists if `name` is given and a file of this name exists.
    """
    return await store_new_midi_file(client, made.content, name, name_from_title(made.title or UNTITLED, ".mid"))


def describe_export(made: Export, stored: dict[str, Any], *, include_base64: bool) -> ExportedScore:
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
