"""Parse typed music, or the bytes of a MIDI file, into a score.

Large input is parsed in a child process. Therefore this module imports only the music library, not the web framework
or the database.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec

from consort_music.errors import MusicError, quoted
from consort_music.midi.reader import read_midi
from consort_music.notation.from_midi import score_from_midi
from consort_music.notation.read_music import read_music
from consort_music.score import Score

P = ParamSpec("P")

MOST_NOTES = 20_000
"""The most notes that a tool of the composer takes."""
_LOOKS_LIKE_ID = re.compile(r"(?:score|song|midi|play)_\S*", re.IGNORECASE)
_LOOKS_LIKE_FILE = re.compile(r"\S+\.(?:midi?|abc|xml|musicxml|mxl|mp3|wav)", re.IGNORECASE)


@dataclass(frozen=True)
class SourceMusic:
    """A parsed score, and warnings about parts of the input that could not be read."""

    score: Score
    warnings: list[str]


def read_typed(text: str, input_format: str | None) -> SourceMusic:
    """Parse a note list, ABC or MusicXML. If `input_format` is None, the format is detected.

    Raise EMPTY_INPUT if the text is blank, INVALID_INPUT if it looks like an id or a file name, and PARSE_ERROR if it
    cannot be parsed.
    """
    if not text.strip():
        raise MusicError("EMPTY_INPUT", "The music is empty. Write notes such as C4:q D4:q E4:h.", ["C4:q D4:q E4:h"])
    if _LOOKS_LIKE_ID.fullmatch(text.strip()):
        raise MusicError(
            "INVALID_INPUT",
            f"{quoted(text.strip())} is not an id. An id has 26 letters and digits after 'score_', 'song_' or 'midi_'; "
            "list_songs and list_midi show them.",
            ["list_songs", "list_midi"],
        )
    if _LOOKS_LIKE_FILE.fullmatch(text.strip()):
        raise MusicError(
            "INVALID_INPUT",
            f"{quoted(text.strip())} is the name of a file. Give the music itself, such as C4:q D4:q E4:h or ABC text, "
            "or a midi_file_id: store_midi returns one for a MIDI file.",
            ["store_midi"],
        )
    return SourceMusic(*read_music(text, input_format))


def read_midi_bytes(content: bytes) -> SourceMusic:
    """Parse a MIDI file into a score. Raise INVALID_MIDI if the bytes are not a valid MIDI file."""
    return SourceMusic(*score_from_midi(read_midi(content)))


def with_note_limit(parser: Callable[P, SourceMusic], /, *args: P.args, **kwargs: P.kwargs) -> SourceMusic:
    """Return what the parser reads. Raise TOO_LARGE in the worker if it has more than MOST_NOTES notes.

    No tool of the composer takes more, and taking over so many notes from a worker would stop the service meanwhile.
    """
    source = parser(*args, **kwargs)
    if source.score.note_count > MOST_NOTES:
        raise MusicError(
            "TOO_LARGE",
            f"The music has {source.score.note_count:,} notes. Give at most {MOST_NOTES:,} at once, such as a section.",
        )
    return source
