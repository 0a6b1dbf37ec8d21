"""Read the music of a request: by id or typed, as JSON for the parameters of a job."""

import asyncio
import base64
import zlib
from typing import Any

from consort_compose.notation.models import MidiToNotation
from consort_compose.notation.song_score import song_to_score
from consort_compose.score_library.other_formats import detect_other_format
from consort_compose.score_library.piece_reading import LibraryPiece
from consort_compose.score_library.references import is_reference
from consort_compose.score_library.service import ScoreLibrary
from consort_compose.scores.service import ScoreService
from consort_compose.songs.notes.stored_notes import all_notes
from consort_compose.songs.storage.requested_song import no_such_song
from consort_compose.songs.storage.store import SongStore
from consort_kit.errors import NotFound
from consort_kit.http.service_client import ServiceClient
from consort_kit.ids import prefix_of
from consort_music.midi.file_names import title_from_name
from consort_music.score_json import score_to_json


class NotationSources:
    def __init__(self, scores: ScoreService, library: ScoreLibrary, songs: SongStore, client: ServiceClient) -> None:
        self._scores = scores
        self._library = library
        self._songs = songs
        self._client = client

    async def read(self, request: MidiToNotation) -> dict[str, Any]:
        """Return the music as JSON, which `make_notation` reads. Raise NotFound if the id is unknown."""
        if request.music is not None and is_reference(request.music):
            return await _as_json(await self._library.read(request.music, "music"))
        if request.music is not None and (form := detect_other_format(request.music)):
            return await _as_json(await self._library.read_typed(request.music, form, "music"))
        if request.music is not None:
            return {"kind": "text", "text": request.music}
        music_id = request.midi_file_id or ""
        if is_reference(music_id):
            return await _as_json(await self._library.read(music_id, "midi_file_id"))
        if prefix_of(music_id) == "score":
            score = await self._scores.get(music_id, "midi_file_id")
            return {"kind": "score", "score": await asyncio.to_thread(score_to_json, score), "marks": []}
        if prefix_of(music_id) == "song":
            return await self._song(music_id)
        try:
            fetched = await self._client.fetch(music_id)
        except NotFound as error:
            error.body.field = "midi_file_id"
            raise
        title = title_from_name(fetched.name) if fetched.name else None
        content = await asyncio.to_thread(_pack, fetched.content)
        return {"kind": "midi", "content": content, "title": title}

    async def _song(self, song_id: str) -> dict[str, Any]:
        async with self._songs.open_for_reading(song_id) as opened:
            if opened is None:
                raise no_such_song(song_id, "midi_file_id")
            song, notes = opened.song, await all_notes(opened)
        score, marks = await asyncio.to_thread(song_to_score, song, notes)
        return {
            "kind": "song",
            "score": await asyncio.to_thread(score_to_json, score),
            "marks": [[str(at), mark] for at, mark in marks],
        }


async def _as_json(piece: LibraryPiece) -> dict[str, Any]:
    score = await asyncio.to_thread(score_to_json, piece.score)
    return {"kind": "score", "score": score, "marks": [], "warnings": piece.warnings}


def _pack(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content)).decode()
