"""transform_midi: read, change, write, store."""

import base64
from collections.abc import Sequence
from itertools import count
from pathlib import PurePosixPath
from typing import NamedTuple

from consort_kit.child import ChildLimits, with_care
from consort_kit.ids import prefix_of
from consort_kit.sandbox import name_from_title, title_from_name
from consort_midi_store.files.models import StoredMidi
from consort_midi_store.files.names import UNTITLED, cut, fitting
from consort_midi_store.files.service import FileService, IfTaken
from consort_midi_store.settings import MidiStoreSettings
from consort_midi_store.transforms.apply import apply, files_needed
from consort_midi_store.transforms.models import Operation, OperationReport
from consort_midi_store.transforms.requests import TransformedFile, TransformedMidi, TransformMidi
from consort_music.collector import collector_paused
from consort_music.errors import in_field
from consort_music.midi.reader import Limits, read_midi
from consort_music.midi.writer import write_midi

CHANGING = ChildLimits(cpu_s=40, memory_bytes=2 * 1024 * 1024 * 1024)
"""The biggest file takes some 3 s of CPU and 0.5 GB, and as much for each operation that knows no columns."""

MAX_LABEL_BYTES = 100


class Made(NamedTuple):
    content: bytes
    label: str | None


class TransformService:
    def __init__(self, files: FileService, settings: MidiStoreSettings) -> None:
        self._files = files
        self._settings = settings

    async def transform(self, request: TransformMidi) -> TransformedMidi:
        found = await self._files.find(request)
        content = found.content
        others = {
            file_id: await self._files.read_other(file_id, field)
            for file_id, field in files_needed(request.operations).items()
        }
        size = len(content) + sum(map(len, others.values()))
        with in_field(request.given):
            made, reports, warnings = await with_care(
                size, CHANGING, change, content, others, request.operations, self._settings.midi_max_bytes
            )
        name = request.name or new_name(found.name, request.operations)
        names = names_of(name, [each.label for each in made])
        if_taken: IfTaken = "number" if request.name is None else "replace" if request.overwrite else "refuse"
        if if_taken == "refuse":
            await self._files.check_free(names)  # all or none of them are stored
        stored = [
            self._told(each, await self._files.save(each.content, full, if_taken=if_taken), request)
            for each, full in zip(made, names, strict=True)
        ]
        return TransformedMidi(
            **stored[0].model_dump(),
            changes=reports,
            more_files=stored[1:] or None,
            note=unchanged(found.made_from),
            warnings=warnings or None,
        )

    def _told(self, made: Made, stored: StoredMidi, request: TransformMidi) -> TransformedFile:
        small = len(made.content) <= self._settings.midi_base64_max_bytes
        return TransformedFile(
            **stored.model_dump(include=set(TransformedFile.model_fields) - {"label", "base64"}),
            label=made.label,
            base64=base64.b64encode(made.content).decode() if request.include_base64 and small else None,
        )


def change(
    content: bytes, others: dict[str, bytes], operations: list[Operation], max_bytes: int
) -> tuple[list[Made], list[OperationReport], list[str]]:
    """The resulting files; may run in a child."""
    limits = Limits(max_bytes=max_bytes)
    with collector_paused():
        file = read_midi(content, limits)
        result = apply(file, operations, {file_id: read_midi(other, limits) for file_id, other in others.items()})
        made = [Made(write_midi(outcome.file), outcome.label) for outcome in result.outcomes]
    return made, result.reports, list(file.warnings[:20])


_RESULTS = {
    "transpose": "transposed",
    "quantize": "quantized",
    "swing": "swung",
    "humanize": "humanized",
    "trim": "trimmed",
    "cut": "shortened",
    "merge": "merged",
}
"""What music is called after one kind of operation; `edited` after any other, or several."""


def new_name(source: str | None, operations: Sequence[Operation]) -> str:
    """A name that tells where the file comes from, and what was done to it; the parts of a split have their own."""
    kinds = {operation.type for operation in operations}
    word = "" if "split" in kinds else " edited"
    if len(kinds) == 1:
        word = f" {_RESULTS[kinds.pop()]}" if kinds <= _RESULTS.keys() else word
    title = title_from_name(source or UNTITLED)
    return name_from_title(title.removesuffix(word) + word, ".mid")


def unchanged(music_id: str | None) -> str | None:
    """What a transform says of a song or score that it was made from."""
    if music_id is None:
        return None
    kind = prefix_of(music_id)
    again = " create_song with this midi_file_id makes a song of the result." if kind == "song" else ""
    return f"The {kind} {music_id} itself is unchanged; this is a new MIDI file.{again}"


def names_of(name: str, labels: Sequence[str | None]) -> list[str]:
    """What the resulting files are called: those of a split each by its label, and no two alike."""
    if len(labels) == 1:
        return [name]
    path = PurePosixPath(name)
    names: list[str] = []
    taken: set[str] = set()
    for label in labels:
        own = plain(label)
        tries = (
            fitting(path.stem, f" - {own}{f' {number}' if number > 1 else ''}{path.suffix}") for number in count(1)
        )
        names.append(next(each for each in tries if each.casefold() not in taken))
        taken.add(names[-1].casefold())
    return names


def plain(label: str | None) -> str:
    """A label as it may stand in a file name."""
    kept = "".join(letter if letter.isalnum() or letter in " ._-#()" else "_" for letter in label or "part")
    return cut(kept.strip(" ."), MAX_LABEL_BYTES).strip(" .") or "part"
