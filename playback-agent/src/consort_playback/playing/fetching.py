"""Getting hold of music: from another service by its id, from the data folder, or from the request itself."""

import asyncio
from typing import NamedTuple

from consort_kit.child import ChildLimits, with_care
from consort_kit.client import FetchedMusic, ServiceClient
from consort_kit.sandbox import Sandbox, title_from_name
from consort_playback.music.piece import Piece, compile_midi
from consort_playback.music.sources import from_base64, from_note_list, from_text
from consort_playback.playing.models import PlaybackMidi
from consort_playback.settings import PlaybackSettings

SANDBOX_FOLDERS = ("import", "midi", "export")
COMPILING = ChildLimits(cpu_s=20, memory_bytes=2 * 1024 * 1024 * 1024, small=128 * 1024)


class Music(NamedTuple):
    title: str
    source: str
    """Where it comes from, for get_playback."""
    content: bytes
    version: str | None = None
    """Of a song, which may change while it plays."""


class Fetcher:
    def __init__(self, settings: PlaybackSettings, client: ServiceClient) -> None:
        self._settings = settings
        self._client = client
        self._sandbox = Sandbox(settings.data, SANDBOX_FOLDERS)

    async def fetch(self, request: PlaybackMidi) -> Music:
        limit = self._settings.midi_max_bytes
        if music_id := request.midi_file_id:
            fetched = await self._client.fetch_changed_music(music_id, None)
            assert fetched is not None
            return Music(title_from_name(fetched.name or music_id), music_id, fetched.content, fetched.version)
        if request.base64 is not None:
            return Music("MIDI file", "base64", from_base64(request.base64, limit))
        if request.path is not None:
            content = await asyncio.to_thread(self._sandbox.read, request.path, limit)
            return Music(title_from_name(request.path.rpartition("/")[2]), request.path, content)
        if request.midi_text is not None:
            return Music("MIDI text", "MIDI text", await asyncio.to_thread(from_text, request.midi_text))
        assert request.notes is not None
        return Music("note list", "note list", await asyncio.to_thread(from_note_list, request.notes))

    async def newer(self, song_id: str, version: str | None) -> FetchedMusic | None:
        """A song as it is now, if it was changed since this version."""
        return await self._client.fetch_changed_music(song_id, version)

    async def compile(self, content: bytes, transpose: int, longest_message: int) -> Piece:
        """Big files in a child with limits: they may come from strangers, and the agent must go on answering."""
        arguments = (content, self._settings.midi_max_bytes, transpose, longest_message)
        return await with_care(len(content), COMPILING, compile_midi, *arguments)
