"""Names and texts that users give, and finding what they name."""

import difflib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, count

from consort_compose.songs.song import Section, Song, Track
from consort_kit.models import ToolInput
from consort_music.errors import MusicError, quoted

MAX_NAME = 100
MAX_TITLE = 200
MAX_DESCRIPTION = 4000


@contextmanager
def fields_called(names: Mapping[str, str]) -> Iterator[None]:
    """Rename the field of a `MusicError` to this tool's name for it."""
    try:
        yield
    except MusicError as refusal:
        refusal.field = names.get(refusal.field, refusal.field) if refusal.field else None
        raise


def name_given(text: str, field: str, longest: int = MAX_NAME) -> str:
    """One line without control, invisible or direction-changing characters."""
    name = unicodedata.normalize("NFC", text).strip()
    if not name or len(name) > longest or any(unicodedata.category(letter).startswith("C") for letter in name):
        raise MusicError(
            "INVALID_NAME",
            f"'{field}' is {quoted(text)}; a name has 1 to {longest} visible characters on one line, such as Verse 1.",
            ["Verse 1"],
            field,
        )
    return name


def free_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, or `name 2`, `name 3` … if it is taken. Names that differ only in case are the same."""
    known = {each.casefold() for each in taken}
    numbered = (f"{name[: MAX_NAME - 5]} {number}" for number in count(2))
    return next(each for each in chain([name[:MAX_NAME]], numbered) if each.casefold() not in known)


def description_given(text: str) -> str | None:
    """Any text; characters that hide or reorder it are left out. Empty is none."""
    kept = "".join(
        letter for letter in text if letter in "\n\t" or not unicodedata.category(letter).startswith("C")
    ).strip()
    if len(kept) > MAX_DESCRIPTION:
        raise MusicError(
            "INVALID_INPUT",
            f"'description' has {len(kept):,} characters, and may have {MAX_DESCRIPTION:,}. Shorten it.",
            field="description",
        )
    return kept or None


def refuse_no_change(changes: Iterable[str], given: ToolInput) -> None:
    """An edit that gives none of what it may change."""
    names = list(changes)
    if all(getattr(given, name) is None for name in names):
        told = f"{', '.join(names[:-1])} or {names[-1]}"
        raise MusicError("INVALID_INPUT", f"Say what to change: {told}.", names[:3])


def track_of(song: Song, name: str, field: str = "track") -> Track:
    track = song.track_named(name)
    if track is None:
        raise _unknown("TRACK", name, (each.name for each in song.tracks), field, "add_track")
    return track


def section_of(song: Song, name: str, field: str = "name") -> Section:
    section = song.section_named(name)
    if section is None:
        raise _unknown("SECTION", name, (each.name for each in song.sections), field, "add_section")
    return section


def _unknown(kind: str, name: str, names: Iterable[str], field: str, adding: str) -> MusicError:
    known = list(names)
    near = difflib.get_close_matches(name[:MAX_NAME], known, n=3, cutoff=0.4) or known[:5]
    there = f"there are: {', '.join(known[:10])}{'…' if len(known) > 10 else ''}" if known else "there is none yet"
    told = f"The song has no {kind.lower()} {quoted(name)}; {there}. {adding} adds one."
    return MusicError(f"UNKNOWN_{kind}", told, [*near, adding], field)
