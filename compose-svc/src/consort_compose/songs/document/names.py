"""Check names that users give, find unused names, and find tracks and sections by name."""

import difflib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from consort_compose.songs.document.song import Section, Song, Track
from consort_music.errors import MusicError, quoted
from consort_music.texts import unused_names
from consort_music.texts.visible_text import is_visible_line

MAX_NAME = 100
MAX_TITLE = 200


@contextmanager
def rename_fields(names: Mapping[str, str]) -> Iterator[None]:
    """Rename the field of a `MusicError` raised inside the block. `names` maps old to new field names."""
    try:
        yield
    except MusicError as error:
        error.field = names.get(error.field, error.field) if error.field else None
        raise


def check_name(text: str, field: str, longest: int = MAX_NAME) -> str:
    """Return the name without surrounding spaces.

    Raise INVALID_NAME unless it is one line of 1 to `longest` visible characters.
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not name or len(name) > longest or not is_visible_line(name):
        raise MusicError(
            "INVALID_NAME",
            f"'{field}' is {quoted(text)}; a name has 1 to {longest} visible characters on one line, such as Verse 1.",
            ["Verse 1"],
            field,
        )
    return name


def unused_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, or `name 2`, `name 3` … if it is taken. Names that differ only in case count as equal."""
    known = {each.casefold() for each in taken}
    return unused_names.unused_name(name, lambda each: each.casefold() in known, MAX_NAME)


def find_track(song: Song, name: str, field: str = "track") -> Track:
    """Return a track by name, in any case. Raise UNKNOWN_TRACK, naming `field`, if there is none."""
    track = song.track_named(name)
    if track is None:
        raise _unknown(song, "track", name, [each.name for each in song.tracks], field)
    return track


def find_section(song: Song, name: str, field: str = "name") -> Section:
    """Return a section by name, in any case. Raise UNKNOWN_SECTION, naming `field`, if there is none."""
    section = song.section_named(name)
    if section is None:
        raise _unknown(song, "section", name, [each.name for each in song.sections], field)
    return section


def _unknown(song: Song, kind: str, name: str, known: list[str], field: str) -> MusicError:
    near = difflib.get_close_matches(name[:MAX_NAME], known, n=3, cutoff=0.4) or known[:5]
    there = f"there are: {', '.join(known[:10])}{'…' if len(known) > 10 else ''}" if known else "it has none yet"
    message = (
        f"The song {quoted(song.title)} has no {kind} {quoted(name)}; {there}. Add one with add_{kind}, or choose "
        "another song with song_id."
    )
    return MusicError(f"UNKNOWN_{kind.upper()}", message, [*near, f"add_{kind}"], field)
