"""The reference of a recording: music or audio that the player may hear first."""

from consort_audio.codecs.formats import FORMATS
from consort_audio.files.library import AudioLibrary
from consort_audio.files.store import AudioRow
from consort_audio.recordings.models import ReferenceState
from consort_kit.errors import ConsortError
from consort_kit.http.service_client import ServiceClient
from consort_kit.ids import prefix_of


class References:
    def __init__(self, library: AudioLibrary, client: ServiceClient) -> None:
        self._library = library
        self._client = client

    async def check(self, reference_id: str, field: str) -> None:
        """Raise NotFound if there is no such music or audio."""
        if prefix_of(reference_id) == "audio":
            await self._library.row(reference_id, field)
            return
        try:
            await self._client.fetch(reference_id)
        except ConsortError as error:
            error.body.field = field
            raise

    async def sound(self, reference_id: str) -> ReferenceState:
        """Return a link to the sound of a reference."""
        return self._ready(await self._library.row(reference_id, "reference_id"))

    def _ready(self, row: AudioRow) -> ReferenceState:
        converted = None if FORMATS[row.format].plays_in_browsers else "flac"
        return ReferenceState(status="ready", url=self._library.links(row).download_url(converted))
