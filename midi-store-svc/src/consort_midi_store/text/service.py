"""Reading notes out of files, and making files of MIDI text."""

import asyncio
import re

from consort_kit.child import ChildLimits
from consort_midi_store.describe import with_care
from consort_midi_store.files.service import FileService
from consort_midi_store.settings import MidiStoreSettings
from consort_midi_store.text.models import MidiNotes, MidiTextMetadata, MidiVerdict, ReadMidiNotes, ValidateMidi
from consort_midi_store.text.notes import read_page
from consort_music.errors import MusicError
from consort_music.midi.build import build_midi
from consort_music.midi.writer import write_midi
from consort_music.midi_text import Reading, read_midi_text

PAIRING = ChildLimits(cpu_s=10, memory_bytes=1024 * 1024 * 1024)

_OTHER_NOTATIONS = {"ABC notation": re.compile(r"\s*X:\s*\d"), "MusicXML": re.compile(r"\s*<(\?xml|!DOCTYPE|score-)")}


class TextService:
    def __init__(self, files: FileService, settings: MidiStoreSettings) -> None:
        self._files = files
        self._settings = settings

    async def read_notes(self, request: ReadMidiNotes) -> MidiNotes:
        _, content = await self._files.read(request)
        plain = request.model_dump(exclude={"midi_file_id", "path", "base64"})
        return await with_care(len(content), PAIRING, read_page, content, self._settings.midi_max_bytes, plain)

    async def validate(self, request: ValidateMidi) -> MidiVerdict:
        for notation, pattern in _OTHER_NOTATIONS.items():
            if pattern.match(request.midi_text):
                problem = f"This is {notation}, which is not read here; write MIDI text, beginning with 'tempo 120'"
                return MidiVerdict(valid=False, errors=[problem], warnings=[])
        reading, content = await asyncio.to_thread(_compile, request.midi_text)
        if content is None:
            return MidiVerdict(valid=False, errors=reading.errors, warnings=reading.warnings)
        verdict = MidiVerdict(valid=True, errors=[], warnings=reading.warnings)
        description = await self._files.describe(content)
        verdict.metadata = MidiTextMetadata(
            duration=description["duration_ms"] / 1000,
            tempo=description["tempo_map"][0]["bpm"],
            tracks=len(reading.text.tracks),
            note_count=description["note_count"],
        )
        if request.store:
            stored = await self._files.save(content, request.name, overwrite=request.overwrite)
            verdict.midi_file_id, verdict.name = stored.midi_file_id, stored.name
            verdict.download_url = stored.download_url
        return verdict


def _compile(source: str) -> tuple[Reading, bytes | None]:
    """What was read, and the file that it makes if nothing is wrong."""
    reading = read_midi_text(source)
    if reading.errors:
        return reading, None
    try:
        return reading, write_midi(build_midi(reading.text))
    except MusicError as error:
        return Reading(reading.text, [error.message], reading.warnings), None
