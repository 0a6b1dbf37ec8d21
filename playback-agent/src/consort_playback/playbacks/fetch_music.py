"""Fetches the music to play (by id from another service, from the data folder or from the request) and compiles it."""

import asyncio
from typing import NamedTuple

from consort_kit.errors import TooLarge
from consort_kit.http.service_client import FetchedFile, ServiceClient
from consort_kit.ids import prefix_of
from consort_kit.processes.child_process import run_within_limits
from consort_kit.processes.work_limits import COMPILE_PLAYBACK
from consort_kit.storage.path_sandbox import open_sandbox
from consort_kit.tools.base64_text import decode_base64
from consort_music.midi.file_names import title_from_name
from consort_music.performance.compiled_music import CompiledMusic, compile_midi
from consort_playback.music.text_to_midi import from_midi_text, from_note_list
from consort_playback.playbacks.models import PlaybackMidi
from consort_playback.settings import PlaybackSettings


class MusicSource(NamedTuple):
    title: str
    source: str
    """The id, path or kind of the music, as `get_playback` shows it."""
    content: bytes
    version: str | None = None
    """The version of a song, which can be edited while it plays. None for other music."""
    hides_title: bool = False
    """Whether users do not see the title track: that of a song or score, whose tools number tracks without it."""


class MusicFetcher:
    def __init__(self, settings: PlaybackSettings, client: ServiceClient) -> None:
        self._settings = settings
        self._client = client
        self._sandbox = open_sandbox(settings.data)

    async def fetch(self, request: PlaybackMidi) -> MusicSource:
        """Return the bytes of the music that a request names or contains, as a MIDI file."""
        limit = self._settings.midi_max_bytes
        if music_id := request.midi_file_id:
            fetched = await self._client.fetch(music_id)
            title, is_stored_file = title_from_name(fetched.name or music_id), prefix_of(music_id) == "midi"
            return MusicSource(title, music_id, fetched.content, fetched.version, not is_stored_file)
        if request.base64 is not None:
            return MusicSource("MIDI file", "base64", decode_file(request.base64, limit))
        if request.path is not None:
            content = await asyncio.to_thread(self._sandbox.read, request.path, limit)
            return MusicSource(title_from_name(request.path.rpartition("/")[2]), request.path, content)
        if request.midi_text is not None:
            return MusicSource("MIDI text", "MIDI text", await asyncio.to_thread(from_midi_text, request.midi_text))
        assert request.notes is not None
        return MusicSource("note list", "note list", await asyncio.to_thread(from_note_list, request.notes))

    async def fetch_newer(self, song_id: str, version: str | None) -> FetchedFile | None:
        """Return the current version of a song, or None if it has not been edited since `version`."""
        return await self._client.fetch_if_changed(song_id, version)

    async def compile(self, content: bytes, transpose: int, longest_message: int) -> CompiledMusic:
        """Compile a MIDI file. A large one is compiled in a child process, so that the agent can serve other calls."""
        arguments = (content, self._settings.midi_max_bytes, transpose, longest_message)
        return await run_within_limits(len(content), COMPILE_PLAYBACK, compile_midi, *arguments)


def decode_file(text: str, max_bytes: int) -> bytes:
    """Decode the field `base64`. Raise TooLarge if it has more than `max_bytes`, InvalidInput if it is not Base64."""
    if len(text) * 3 // 4 > max_bytes + 3:
        raise TooLarge(
            f"'base64' has more than {max_bytes:,} bytes, the most that can be played. Split the file.",
            field="base64",
        )
    return decode_base64(text, "midi_file_id")
