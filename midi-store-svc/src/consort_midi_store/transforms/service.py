"""transform_midi: find the music, transform it, store the results."""

import base64

from consort_kit.ids import prefix_of
from consort_kit.processes.child_process import run_within_limits
from consort_kit.processes.work_limits import TRANSFORM_MIDI
from consort_midi_store.files.models import StoredMidi
from consort_midi_store.files.service import FileService
from consort_midi_store.files.writer import FileWriter
from consort_midi_store.settings import MidiStoreSettings
from consort_midi_store.transforms.apply_operations import files_needed
from consort_midi_store.transforms.models import OperationReport, TransformedFile, TransformedMidi, TransformMidi
from consort_midi_store.transforms.result_names import names_with_labels, result_name
from consort_midi_store.transforms.transform_bytes import TransformedBytes, transform_bytes
from consort_music.errors import in_field


class TransformService:
    def __init__(self, files: FileService, writer: FileWriter, settings: MidiStoreSettings) -> None:
        self._files = files
        self._writer = writer
        self._settings = settings

    async def transform(self, request: TransformMidi) -> TransformedMidi:
        found = await self._files.find(request)
        content = found.content
        others = {
            file_id: await self._files.read_other(file_id, field)
            for file_id, field in files_needed(request.operations).items()
        }
        size = len(content) + sum(map(len, others.values()))
        max_bytes = self._settings.midi_max_bytes
        with in_field(request.given):
            made = await run_within_limits(
                size, TRANSFORM_MIDI, transform_bytes, content, others, request.operations, max_bytes
            )
        name = request.name or result_name(found.name, request.operations)
        names = names_with_labels(name, [file.label for file in made.files])
        if_taken = self._writer.choose_if_taken(request.name, overwrite=request.overwrite)
        if if_taken == "refuse":
            await self._writer.check_free(names)  # store either all results or none
        stored = [
            self._describe(
                file,
                await self._writer.save(file.content, name, if_taken=if_taken, summary=file.summary),
                request.include_base64,
            )
            for file, name in zip(made.files, names, strict=True)
        ]
        return TransformedMidi(
            **stored[0].model_dump(),
            changes=[
                OperationReport(type=report.type, changed=report.changed, warnings=report.warnings or None)
                for report in made.reports
            ],
            more_files=stored[1:] or None,
            note=_note_on_source(found.made_from),
            warnings=made.warnings or None,
        )

    def _describe(self, file: TransformedBytes, stored: StoredMidi, include_base64: bool) -> TransformedFile:
        is_small = len(file.content) <= self._settings.midi_base64_max_bytes
        return TransformedFile(
            **stored.model_dump(include=set(TransformedFile.model_fields) - {"label", "base64"}),
            label=file.label,
            base64=base64.b64encode(file.content).decode() if include_base64 and is_small else None,
        )


def _note_on_source(music_id: str | None) -> str | None:
    """Return a text that says that the song or score itself did not change, or None if the source was a file."""
    if music_id is None:
        return None
    kind = prefix_of(music_id)
    hint = " create_song with this midi_file_id makes a song of the result." if kind == "song" else ""
    return f"The {kind} {music_id} itself is unchanged; this is a new MIDI file.{hint}"
