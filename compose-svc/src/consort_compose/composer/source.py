"""Music as a caller gives it, typed or by the id of what the studio keeps."""

import re
from dataclasses import dataclass

from consort_compose.scores.service import ScoreService
from consort_compose.songs.service import SongService
from consort_kit.child import ChildLimits, with_care
from consort_kit.client import ServiceClient
from consort_kit.ids import id_pattern
from consort_music.errors import MusicError, in_field, quoted
from consort_music.midi.reader import read_midi
from consort_music.notation.detect import read_music
from consort_music.notation.from_midi import score_from_midi
from consort_music.score import Score

READING = ChildLimits(cpu_s=10, memory_bytes=512 * 1024 * 1024, small=100_000)
_ID = re.compile("|".join(f"(?P<{prefix}>{id_pattern(prefix).strip('^$')})" for prefix in ("score", "song", "midi")))

_LIKE_ID = re.compile(r"(?:score|song|midi|play)_\S*", re.IGNORECASE)
_LIKE_FILE = re.compile(r"\S+\.(?:midi?|abc|xml|musicxml|mxl|mp3|wav)", re.IGNORECASE)


@dataclass(frozen=True)
class Source:
    score: Score
    warnings: list[str]


class Sources:
    def __init__(self, scores: ScoreService, songs: SongService, client: ServiceClient) -> None:
        self._scores = scores
        self.songs = songs
        self._client = client

    async def read(self, text: str, input_format: str | None, field: str) -> Source:
        """The score that is meant; raises EMPTY_INPUT or PARSE_ERROR, naming the field, or NotFound."""
        with in_field(field):
            found = _ID.fullmatch(text.strip())
            if found is None:
                source = await with_care(len(text), READING, read_typed, text, input_format)
            elif found["score"]:
                source = Source(await self._scores.get(found["score"], field), [])
            else:
                content = await self._midi_file(found["midi"], found["song"])
                source = await with_care(len(content), READING, read_stored, content)
            if not source.score.note_count:
                raise MusicError(
                    "EMPTY_INPUT", f"{quoted(text.strip())} has no notes. Give music with at least one note."
                )
        return source

    async def _midi_file(self, file_id: str | None, song_id: str) -> bytes:
        if file_id:
            return await self._client.fetch_music(file_id)
        file = await self.songs.midi_file(song_id)
        assert file.content is not None  # no version is known, so it is sent
        return file.content


def read_typed(text: str, input_format: str | None) -> Source:
    if not text.strip():
        raise MusicError("EMPTY_INPUT", "The music is empty. Write notes such as C4:q D4:q E4:h.", ["C4:q D4:q E4:h"])
    if _LIKE_ID.fullmatch(text.strip()):
        raise MusicError(
            "INVALID_INPUT",
            f"{quoted(text.strip())} is not an id. An id has 26 letters and digits after 'score_', 'song_' or 'midi_'; "
            "list_songs and list_midi show them.",
            ["list_songs", "list_midi"],
        )
    if _LIKE_FILE.fullmatch(text.strip()):
        raise MusicError(
            "INVALID_INPUT",
            f"{quoted(text.strip())} is the name of a file. Give the music itself, such as C4:q D4:q E4:h or ABC text, "
            "or a midi_file_id: store_midi answers one for a MIDI file.",
            ["store_midi"],
        )
    return Source(*read_music(text, input_format))


def read_stored(content: bytes) -> Source:
    return Source(*score_from_midi(read_midi(content)))
