"""Find what is known about an audio file: its notes, beats, chords and faults.

Today this is the music that a file was rendered from. Analyses of recordings will be added here.
"""

import hashlib
from typing import Any, NamedTuple

from consort_audio.files.library import AudioLibrary
from consort_audio.files.store import AudioRow
from consort_audio.pictures.overlay.from_music import RenderedPart, overlay_of_music
from consort_audio.pictures.overlay.model import Overlay
from consort_audio.settings import AudioSettings
from consort_kit.errors import ConsortError
from consort_kit.http.service_client import ServiceClient
from consort_kit.processes.child_process import run_within_limits
from consort_kit.processes.child_resource_limits import ChildLimits
from consort_music.errors import MusicError

_MUSIC_FIELDS = ("midi_file_id", "song_id", "score_id")
_LIMITS = ChildLimits(cpu_s=15, memory_bytes=1536 * 1024 * 1024)
_MOST_CUTS = 20
"""A segment of a segment of … is followed so far."""


class KnownThings(NamedTuple):
    overlay: Overlay
    warnings: list[str]
    """Why something is missing."""


class KnownOverlays:
    def __init__(self, library: AudioLibrary, client: ServiceClient, settings: AudioSettings) -> None:
        self._library = library
        self._client = client
        self._settings = settings

    async def known_overlay(self, row: AudioRow) -> KnownThings:
        """Return what is known about a file. Times are in seconds from its start."""
        offset = 0.0
        source: AudioRow | None = row
        for _ in range(_MOST_CUTS):
            if source is None or source.kind != "segment":
                break
            offset += source.origin["start_time"]
            source = await self._library.row_if_exists(source.origin["audio_file_id"])
        if source is None:
            return KnownThings(Overlay(), ["The file that this was cut from was deleted, so its notes are unknown."])
        if source.kind != "render":
            return KnownThings(Overlay(), [])
        try:
            overlay = await self._rendered(source.origin)
        except (ConsortError, MusicError) as error:
            reason = f"The music it was rendered from cannot be read, so notes and bars are not drawn in. {error}"
            return KnownThings(Overlay(), [reason])
        if overlay is None:
            reason = "The music has changed since it was rendered, so notes and bars are not drawn in. Render it again."
            return KnownThings(Overlay(), [reason])
        return KnownThings(overlay.moved(-offset) if offset else overlay, [])

    async def _rendered(self, origin: dict[str, Any]) -> Overlay | None:
        """Return the overlay of the music that a file was rendered from, or None if the music has changed."""
        music_id = next(origin[field] for field in _MUSIC_FIELDS if field in origin)
        music = await self._client.fetch(music_id)
        if hashlib.sha256(music.content).hexdigest() != origin["music_sha256"]:
            return None
        options = origin["options"]
        part = RenderedPart(
            count_in_bars=options["count_in_bars"],
            first_bar=options["first_bar"],
            last_bar=options["last_bar"],
            mute=options["mute"],
            solo=options["solo"],
            instrument=None if options["program"] is None else origin["instrument"],
            is_drums=options["is_drums"],
        )
        max_bytes = self._settings.midi_max_bytes
        return await run_within_limits(len(music.content), _LIMITS, overlay_of_music, music.content, max_bytes, part)
