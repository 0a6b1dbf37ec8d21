"""Find the music that an audio file was rendered from, whose notes and bars can be drawn in."""

import hashlib
from typing import Any, NamedTuple

from consort_audio.files.library import AudioLibrary
from consort_audio.files.store import AudioRow
from consort_audio.pictures.overlay.from_music import KnownMusic, RenderedPart
from consort_audio.settings import AudioSettings
from consort_kit.errors import ConsortError
from consort_kit.http.service_client import ServiceClient
from consort_music.instruments import INSTRUMENTS
from consort_music.music_ids import MUSIC_ID_FIELDS

_MOST_CUTS = 20
"""A segment of a segment of … is followed so far."""


class MusicOfAudio(NamedTuple):
    music: KnownMusic | None
    warnings: list[str]
    """Why something is missing."""


class MusicFinder:
    def __init__(self, library: AudioLibrary, client: ServiceClient, settings: AudioSettings) -> None:
        self._library = library
        self._client = client
        self._settings = settings

    async def find(self, row: AudioRow) -> MusicOfAudio:
        """Return the music of a file, and of the file that it was cut from."""
        cut_off_s = 0.0
        source: AudioRow | None = row
        for _ in range(_MOST_CUTS):
            if source is None or source.kind != "segment":
                break
            cut_off_s += source.origin["start_time"]
            source = await self._library.row_if_exists(source.origin["audio_file_id"])
        if source is None:
            return MusicOfAudio(None, ["The file that this was cut from was deleted, so its notes are unknown."])
        music_id = next((source.origin[field] for field in MUSIC_ID_FIELDS.values() if field in source.origin), None)
        if source.kind != "render" or music_id is None or "music_sha256" not in source.origin:
            return MusicOfAudio(None, [])
        try:
            content = (await self._client.fetch(music_id)).content
        except ConsortError as error:
            return MusicOfAudio(None, [cannot_be_read(str(error))])
        if hashlib.sha256(content).hexdigest() != source.origin["music_sha256"]:
            reason = "The music has changed since it was rendered, so notes and bars are not drawn in. Render it again."
            return MusicOfAudio(None, [reason])
        part = _rendered_part(source.origin)
        return MusicOfAudio(KnownMusic(content, self._settings.midi_max_bytes, part, cut_off_s), [])


def cannot_be_read(why: str) -> str:
    return f"The music it was rendered from cannot be read, so notes and bars are not drawn in. {why}"


def _rendered_part(origin: dict[str, Any]) -> RenderedPart:
    options = origin["options"]
    return RenderedPart(
        count_in_bars=options["count_in_bars"],
        first_bar=options["first_bar"],
        last_bar=options["last_bar"],
        mute=options["mute"],
        solo=options["solo"],
        instrument=None if options["program"] is None else INSTRUMENTS[options["program"]].name,
        is_drums=options["is_drums"],
    )
