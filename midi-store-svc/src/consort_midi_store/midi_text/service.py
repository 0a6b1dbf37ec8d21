"""Read notes from files, and make files from text."""

from consort_kit.processes.child_process import run_within_limits
from consort_kit.processes.work_limits import READ_MIDI_TEXT, READ_NOTES
from consort_kit.storage.file_names import name_from_title
from consort_midi_store.files.names import UNTITLED
from consort_midi_store.files.service import FileService
from consort_midi_store.files.writer import FileWriter
from consort_midi_store.midi_text.models import (
    MidiNote,
    MidiNotes,
    MidiTextMetadata,
    MidiVerdict,
    ReadMidiNotes,
    ValidateMidi,
)
from consort_midi_store.midi_text.note_pages import read_note_page
from consort_midi_store.midi_text.text_to_midi import text_to_midi
from consort_midi_store.settings import MidiStoreSettings
from consort_music.errors import in_field
from consort_music.midi.file_names import title_from_name


class MidiTextService:
    def __init__(self, files: FileService, writer: FileWriter, settings: MidiStoreSettings) -> None:
        self._files = files
        self._writer = writer
        self._settings = settings

    async def read_notes(self, request: ReadMidiNotes) -> MidiNotes:
        found = await self._files.find_stored(request)
        content, max_bytes = found.content, self._settings.midi_max_bytes
        with in_field(request.given):
            page = await run_within_limits(
                len(content), READ_NOTES, read_note_page, content, max_bytes, request.query()
            )
        return MidiNotes(
            midi_file_id=found.row.id if found.made_from is not None and found.row is not None else None,
            notes=None if page.notes is None else [MidiNote(**note._asdict()) for note in page.notes],
            text=page.text,
            note_count=page.note_count,
            next_cursor=page.next_cursor,
            warnings=page.warnings or None,
        )

    async def validate(self, request: ValidateMidi) -> MidiVerdict:
        text, max_bytes = request.midi_text, self._settings.midi_max_bytes
        made = await run_within_limits(len(text), READ_MIDI_TEXT, text_to_midi, text, max_bytes)
        verdict = MidiVerdict(valid=made.content is not None, errors=made.errors, warnings=made.warnings)
        if made.content is None or made.summary is None:
            return verdict
        verdict.metadata = MidiTextMetadata(
            duration=made.summary["duration_ms"] / 1000,
            tempo=made.summary["tempo_map"][0]["bpm"],
            tracks=made.tracks,
            note_count=made.summary["note_count"],
        )
        if request.store:
            default = name_from_title(made.title or title_from_name(UNTITLED), ".mid")
            stored = await self._writer.save(
                made.content,
                default if request.name is None else request.name,
                if_taken=self._writer.choose_if_taken(request.name, overwrite=request.overwrite),
                summary=made.summary,
            )
            verdict.midi_file_id, verdict.name = stored.midi_file_id, stored.name
            verdict.path, verdict.full_path = stored.path, stored.full_path
            verdict.download_url = stored.download_url
        return verdict
