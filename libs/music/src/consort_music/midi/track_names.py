"""Read the names of tracks, and find tracks by name or number.

A track's name is the text of its first name event that has visible characters. A file does not state the encoding; see
`decode_name`.
"""

import codecs
import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress

from consort_music.errors import MusicError, quoted
from consort_music.midi.model import META, META_TRACK_NAME, Event, MidiFile, Track
from consort_music.texts.visible_text import visible_line

_MAX_NAME_BYTES = 1024
_MAX_NAME_LENGTH = 200
_MAX_SHOWN = 20
_JAPANESE = re.compile(rb"\x82[\x9f-\xf1]|\x83[\x40-\x96]|(?:[\x88-\x9f][\x40-\x7e\x80-\xfc]){2}")
"""Kana, or two usual kanji, in Shift-JIS. Western text does not contain these byte sequences."""
_NUMBER = re.compile("[0-9]{1,5}")


def track_name(track: Iterable[Event]) -> str:
    """Return the name of a track, or an empty text. `track` may have only the meta events of the track."""
    names = (decode_name(data[1:]) for _, status, data in track if status == META and data[0] == META_TRACK_NAME)
    return next(filter(None, names), "")


def track_names(tracks: Iterable[Track]) -> list[str]:
    return list(map(track_name, tracks))


def title_of(file: MidiFile) -> str | None:
    """Return the title of a file, or None. Sequencers write it as the name of a first track without notes."""
    return track_name(file.tracks[0]) or None if has_title_track(file) else None


def has_title_track(file: MidiFile) -> bool:
    """Return whether the first track has no notes, only the title and such things as tempos."""
    return file.format == 1 and not any(0x90 <= status <= 0x9F for _, status, _ in file.tracks[0])


def find_tracks(names: Sequence[str], wanted: Sequence[int | str], field: str = "tracks") -> list[int]:
    """Return the indexes of tracks given by number (from 0) or by name, sorted.

    `names` are the names of all tracks. A name means every track that has it; case is ignored. Digits are tried as a
    name first, then as a number. Raise UNKNOWN_TRACK if one of `wanted` is not found.
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
    """Decode a name of unknown encoding and return it as one clean line.

    UTF-8 is tried first, then Shift-JIS if the bytes look Japanese, then Windows-1252. Invisible characters are
    removed. Names longer than 200 characters are cut and end in an ellipsis.
    """
    text = _decode(raw[:_MAX_NAME_BYTES], len(raw) <= _MAX_NAME_BYTES)
    visible = visible_line(text)
    is_long = len(raw) > _MAX_NAME_BYTES or len(visible) > _MAX_NAME_LENGTH
    return visible[:_MAX_NAME_LENGTH] + "…" if is_long else visible


def _decode(text: bytes, is_whole: bool) -> str:
    encodings = ["utf-8", "cp932", "cp1252"] if _JAPANESE.search(text) else ["utf-8", "cp1252"]
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            return codecs.getincrementaldecoder(encoding)().decode(text, final=is_whole)
    return text.decode("latin-1")  # accepts any bytes
