"""The reference of a recording: music or audio that the player may hear first. Music is rendered on demand."""

import hashlib
from contextlib import suppress

from consort_audio.codecs.formats import FORMATS
from consort_audio.files.library import AudioLibrary
from consort_audio.files.store import AudioRow
from consort_audio.recordings.models import ReferenceState
from consort_audio.recordings.start_timing import StartTiming, find_start_timing
from consort_audio.settings import AudioSettings
from consort_audio.synthesis.models import MidiToAudio
from consort_audio.synthesis.service import SynthesisService
from consort_kit.errors import ConsortError, InvalidInput, NotFound
from consort_kit.http.service_client import ServiceClient
from consort_kit.ids import prefix_of
from consort_kit.jobs.models import JobTicket
from consort_kit.processes.child_process import run_within_limits
from consort_kit.processes.work_limits import READ_REFERENCE
from consort_music.music_ids import MUSIC_ID_FIELDS

_WAIT_S = 5.0
"""How long a page waits for the sound before it shows the progress, in seconds."""
_HINTS = {
    "midi": "list_midi shows the stored files.",
    "song": "list_songs shows the songs.",
    "score": "Scores are kept for 30 days: compose it again.",
}
"""For each id prefix: what to do if there is no such music."""


class References:
    def __init__(
        self, library: AudioLibrary, client: ServiceClient, synthesis: SynthesisService, settings: AudioSettings
    ) -> None:
        self._library = library
        self._client = client
        self._synthesis = synthesis
        self._settings = settings

    async def timing(self, reference_id: str) -> StartTiming | None:
        """Return the tempo and metre at which a reference begins, or None if they are not known.

        Raise NotFound, which names the field `reference_id`, if there is no such music or audio.
        """
        if prefix_of(reference_id) == "audio":
            return await self._timing_of_audio(await self._library.row(reference_id, "reference_id"))
        try:
            return await self._timing_of_music((await self._client.fetch(reference_id)).content)
        except NotFound:
            hint = _HINTS[prefix_of(reference_id)]
            raise NotFound(
                f"'reference_id' is {reference_id}, and there is no music with this id. {hint}",
                field="reference_id",
                suggestions=[hint],
            ) from None

    async def _timing_of_audio(self, row: AudioRow) -> StartTiming | None:
        """Return the timing of rendered music that has not changed since."""
        music_id = next((row.origin[field] for field in MUSIC_ID_FIELDS.values() if field in row.origin), None)
        if row.kind != "render" or music_id is None:
            return None
        with suppress(ConsortError):
            content = (await self._client.fetch(music_id)).content
            if hashlib.sha256(content).hexdigest() == row.origin.get("music_sha256"):
                return await self._timing_of_music(content, row.origin["options"]["first_bar"] or 1)
        return None

    async def _timing_of_music(self, content: bytes, first_bar: int = 1) -> StartTiming | None:
        with suppress(InvalidInput):  # too large for the limits
            return await run_within_limits(
                len(content), READ_REFERENCE, find_start_timing, content, self._settings.midi_max_bytes, first_bar
            )
        return None

    async def sound(self, reference_id: str) -> ReferenceState:
        """Return a link to the sound of a reference, or how much of it is rendered."""
        if prefix_of(reference_id) == "audio":
            row = await self._library.row(reference_id, "reference_id")
            converted = None if FORMATS[row.format].plays_in_browsers else "flac"
            return ReferenceState(status="ready", url=self._library.links(row).download_url(converted))
        rendered = await self._synthesis.render(MidiToAudio(midi_file_id=reference_id, wait_s=_WAIT_S))
        if isinstance(rendered, JobTicket):
            return ReferenceState(status="rendering", progress=rendered.progress)
        return ReferenceState(status="ready", url=rendered.download_url)
