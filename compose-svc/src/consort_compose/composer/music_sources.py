"""Read the caller's music: typed text, a piece of the score library, or the id of a score, a song or a MIDI file."""

import re
from collections.abc import Callable
from typing import ParamSpec

from consort_compose.composer.music_reading import SourceMusic, read_midi_bytes, read_typed, with_note_limit
from consort_compose.score_library.other_formats import NAMES, detect_other_format
from consort_compose.score_library.references import is_reference
from consort_compose.score_library.service import ScoreLibrary
from consort_compose.scores.service import ScoreService
from consort_compose.songs.reader import SongReader
from consort_kit.http.service_client import ServiceClient
from consort_kit.ids import id_pattern
from consort_kit.processes.child_process import run_in_child
from consort_kit.processes.function_workers import FunctionWorkers
from consort_kit.processes.work_limits import READ_SCORE
from consort_music.errors import MusicError, in_field, quoted

P = ParamSpec("P")

_ID = re.compile("|".join(f"(?P<{prefix}>{id_pattern(prefix).strip('^$')})" for prefix in ("score", "song", "midi")))


class ScoreSources:
    """Reads typed music, scores, pieces of the library, songs and stored MIDI files as scores."""

    def __init__(
        self,
        scores: ScoreService,
        library: ScoreLibrary,
        songs: SongReader,
        client: ServiceClient,
        workers: FunctionWorkers,
    ) -> None:
        self._scores = scores
        self._library = library
        self._workers = workers
        self.songs = songs
        self._client = client

    async def read(self, text: str, input_format: str | None, field: str) -> SourceMusic:
        """Return the score for `text`, which is an id or typed music.

        Raise NotFound if the id is unknown, EMPTY_INPUT if the music has no notes, and PARSE_ERROR or another
        MusicError if the text cannot be parsed. Errors name `field`.
        """
        with in_field(field):
            found = _ID.fullmatch(text.strip())
            if is_reference(text):
                piece = await self._library.read(text, field)
                source = SourceMusic(piece.score, piece.warnings)
            elif found is None and (other := input_format or detect_other_format(text)) in NAMES:
                piece = await self._library.read_typed(text, str(other), field)
                source = SourceMusic(piece.score, piece.warnings)
            elif found is None:
                source = await self._parse(len(text), read_typed, text, input_format)
            elif found["score"]:
                source = SourceMusic(await self._scores.get(found["score"], field), [])
            else:
                content = await self._midi_file(found["midi"], found["song"])
                source = await self._parse(len(content), read_midi_bytes, content)
            if not source.score.note_count:
                raise MusicError(
                    "EMPTY_INPUT", f"{quoted(text.strip())} has no notes. Give music with at least one note."
                )
        return source

    async def _parse(
        self, size: int, parser: Callable[P, SourceMusic], *args: P.args, **kwargs: P.kwargs
    ) -> SourceMusic:
        """Parse music in a worker, or in a process of its own if it is large and may need much memory."""
        if size <= READ_SCORE.max_size_without_child:
            return await self._workers.run(READ_SCORE.cpu_s, with_note_limit, parser, *args, **kwargs)
        return await run_in_child(READ_SCORE, with_note_limit, parser, *args, **kwargs)

    async def _midi_file(self, file_id: str | None, song_id: str) -> bytes:
        if file_id:
            return (await self._client.fetch(file_id)).content
        file = await self.songs.midi_file(song_id)
        assert file.content is not None  # it is None only if the caller names a version that it already has
        return file.content
