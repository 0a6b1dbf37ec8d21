"""The reference of a recording: music or audio that the player may hear first. Music is rendered on demand."""

from consort_audio.codecs.formats import FORMATS
from consort_audio.files.library import AudioLibrary
from consort_audio.jobs.models import JobTicket
from consort_audio.recordings.models import ReferenceState
from consort_audio.synthesis.models import MidiToAudio
from consort_audio.synthesis.service import SynthesisService
from consort_kit.errors import NotFound
from consort_kit.http.service_client import ServiceClient
from consort_kit.ids import prefix_of

_WAIT_S = 5.0
"""How long a page waits for the sound before it shows the progress, in seconds."""
_HINTS = {
    "midi": "list_midi shows the stored files.",
    "song": "list_songs shows the songs.",
    "score": "Scores are kept for 30 days: compose it again.",
}
"""For each id prefix: what to do if there is no such music."""


class References:
    def __init__(self, library: AudioLibrary, client: ServiceClient, synthesis: SynthesisService) -> None:
        self._library = library
        self._client = client
        self._synthesis = synthesis

    async def check(self, reference_id: str) -> None:
        """Raise NotFound, which names the field `reference_id`, if there is no such music or audio."""
        if prefix_of(reference_id) == "audio":
            await self._library.row(reference_id, "reference_id")
            return
        try:
            await self._client.fetch(reference_id)
        except NotFound:
            hint = _HINTS[prefix_of(reference_id)]
            raise NotFound(
                f"'reference_id' is {reference_id}, and there is no music with this id. {hint}",
                field="reference_id",
                suggestions=[hint],
            ) from None

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
