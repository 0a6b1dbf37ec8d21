"""The names of tracks: read from the file, shown the same everywhere, and found by whoever names a track.

A track's name is the first name event in it that says something. Its encoding is not told by the file; see
`decode_name`.
"""

import codecs
import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress

from consort_music.errors import MusicError, quoted
from consort_music.midi.model import META, META_TRACK_NAME, Event, MidiFile, Track

_MAX_NAME_BYTES = 1024
_MAX_NAME_LENGTH = 200
_MAX_SHOWN = 20
_JAPANESE = re.compile(rb"\x82[\x9f-\xf1]|\x83[\x40-\x96]|(?:[\x88-\x9f][\x40-\x7e\x80-\xfc]){2}")
"""Kana, or two of the usual kanji, in Shift-JIS: no letters of a Western text have these bytes one after the other."""
_NUMBER = re.compile("[0-9]{1,5}")


def track_name(track: Iterable[Event]) -> str:
    """The name of a track, or an empty text; its meta events alone will do."""
    names = (decode_name(data[1:]) for _, status, data in track if status == META and data[0] == META_TRACK_NAME)
    return next(filter(None, names), "")


def track_names(tracks: Iterable[Track]) -> list[str]:
    return list(map(track_name, tracks))


def title_of(file: MidiFile) -> str | None:
    """The name of a first track that plays nothing, where sequencers write the title."""
    first = file.tracks[0]
    if file.format != 1 or any(0x90 <= status <= 0x9F for _, status, _ in first):
        return None
    return track_name(first) or None


def find_tracks(names: Sequence[str], wanted: Sequence[int | str], field: str = "tracks") -> list[int]:
    """Indexes of the tracks that are wanted by number (from 0) or by name, in the file's order.

    `names` are those of all tracks. A name, in upper or lower case, means every track that has it; digits are a name
    first, then a number. Raises UNKNOWN_TRACK.
    """
    places: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        if name:
            places.setdefault(_comparable(name), []).append(index)
    found: set[int] = set()
    for one in wanted:
        matches = places.get(_comparable(one), []) if isinstance(one, str) else []
        if not matches and (number := _NUMBER.fullmatch(str(one).strip())) and int(number[0]) < len(names):
            matches = [int(number[0])]
        if not matches:
            raise _not_found(names, one, field)
        found.update(matches)
    return sorted(found)


def _comparable(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split()).casefold()


def _not_found(names: Sequence[str], wanted: int | str, field: str) -> MusicError:
    last = len(names) - 1
    numbers = f"0 to {last}" if last else "0"
    known = [name for name in dict.fromkeys(names) if name][:_MAX_SHOWN]
    named = f" or a name: {', '.join(known[:5])}{', …' if len(known) > 5 else ''}" if known else ""
    message = f"There is no track {quoted(str(wanted))}; give a number, {numbers},{named}."
    return MusicError("UNKNOWN_TRACK", message.replace(",.", "."), [numbers, *known], field)


def decode_name(raw: bytes) -> str:
    """Text of unknown encoding as one clean line: UTF-8, Shift-JIS where it is plainly Japanese, else Windows-1252.

    Control and invisible characters are dropped; names longer than 200 characters end in an ellipsis.
    """
    text = _decode(raw[:_MAX_NAME_BYTES], len(raw) <= _MAX_NAME_BYTES)
    spaced = " ".join(text.split())
    visible = "".join(char for char in spaced if not unicodedata.category(char).startswith("C")).strip()
    is_long = len(raw) > _MAX_NAME_BYTES or len(visible) > _MAX_NAME_LENGTH
    return visible[:_MAX_NAME_LENGTH] + "…" if is_long else visible


def _decode(text: bytes, is_whole: bool) -> str:
    encodings = ["utf-8", "cp932", "cp1252"] if _JAPANESE.search(text) else ["utf-8", "cp1252"]
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            return codecs.getincrementaldecoder(encoding)().decode(text, final=is_whole)
    return text.decode("latin-1")  # any bytes are
