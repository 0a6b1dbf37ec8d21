"""Reading notes out of files, and making files of text."""

from consort_kit.child import ChildLimits, with_care
from consort_kit.sandbox import name_from_title, title_from_name
from consort_midi_store.files.names import UNTITLED
from consort_midi_store.files.service import FileService, IfTaken
from consort_midi_store.settings import MidiStoreSettings
from consort_midi_store.text.models import MidiNotes, MidiTextMetadata, MidiVerdict, ReadMidiNotes, ValidateMidi
from consort_midi_store.text.notations import compile_music
from consort_midi_store.text.notes import read_page
from consort_music.errors import MusicError, in_field

PAIRING = ChildLimits(cpu_s=10, memory_bytes=1024 * 1024 * 1024)
COMPILING = ChildLimits(cpu_s=20, memory_bytes=1024 * 1024 * 1024)


class TextService:
    def __init__(self, files: FileService, settings: MidiStoreSettings) -> None:
        self._files = files
        self._settings = settings

    async def read_notes(self, request: ReadMidiNotes) -> MidiNotes:
        found = await self._files.find_kept(request)
        content = found.content
        plain = request.model_dump(exclude={"midi_file_id", "path", "base64"})
        with in_field(request.given):
            page = await with_care(len(content), PAIRING, read_page, content, self._settings.midi_max_bytes, plain)
        if found.made_from is not None and found.row is not None:
            page.midi_file_id = found.row.id
        return page

    async def validate(self, request: ValidateMidi) -> MidiVerdict:
        compiled = await with_care(len(request.midi_text), COMPILING, compile_music, request.midi_text)
        verdict = MidiVerdict(valid=compiled.content is not None, errors=compiled.errors, warnings=compiled.warnings)
        if compiled.content is None:
            return verdict
        try:
            description = await self._files.describe(compiled.content)
        except MusicError as refusal:  # longer than a file may be
            return verdict.model_copy(update={"valid": False, "errors": [refusal.message]})
        verdict.metadata = MidiTextMetadata(
            duration=description["duration_ms"] / 1000,
            tempo=description["tempo_map"][0]["bpm"],
            tracks=compiled.tracks,
            note_count=description["note_count"],
        )
        if request.store:
            if request.name is None:
                name = name_from_title(compiled.title or title_from_name(UNTITLED), ".mid")
                stored = await self._files.save(compiled.content, name, if_taken="number")
            else:
                if_taken: IfTaken = "replace" if request.overwrite else "refuse"
                stored = await self._files.save(compiled.content, request.name, if_taken=if_taken)
            verdict.midi_file_id, verdict.name = stored.midi_file_id, stored.name
            verdict.path, verdict.full_path = stored.path, stored.full_path
            verdict.download_url = stored.download_url
        return verdict
