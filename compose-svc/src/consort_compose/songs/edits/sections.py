"""Add, change and remove sections. Sections may not overlap, and each has a unique name."""

from collections.abc import Iterable
from dataclasses import replace

from consort_compose.songs.document.names import check_name, find_section, rename_fields
from consort_compose.songs.document.song import MAX_SECTIONS, MAX_TEMPO, MIN_TEMPO, Section, Song
from consort_compose.songs.models.sections import EditSection, SectionFields
from consort_kit.tools.models import ToolInput
from consort_music.errors import MusicError, in_field
from consort_music.keys import parse_key
from consort_music.texts.visible_text import visible_text

_CHANGEABLE = ("new_name", "start_measure", "end_measure", "key", "description", "tempo", "time_signature")


def add(song: Song, given: SectionFields) -> tuple[Song, Section]:
    """Return the song with a new section, and the section."""
    if len(song.sections) >= MAX_SECTIONS:
        raise MusicError(
            "TOO_MANY_SECTIONS",
            f"A song has at most {MAX_SECTIONS} sections. Remove or extend one first.",
            ["edit_section", "remove_section"],
            "name",
        )
    section = Section(
        name=check_name(given.name, "name"),
        start_measure=given.start_measure,
        end_measure=given.end_measure,
        key=read_key(given.key),
        description=clean_description(given.description or ""),
        tempo=given.tempo,
        time_signature=given.time_signature.name if given.time_signature else None,
    )
    return _with(song, section), section


def edit(song: Song, request: EditSection) -> tuple[Song, Section]:
    """Return the song with a changed section, and the section.

    Fields that are None do not change. An empty text or 0 removes the section's value, so that the song's is used.
    """
    section = find_section(song, request.name)
    require_change(_CHANGEABLE, request)
    changes: dict[str, object] = {}
    if request.new_name is not None:
        changes["name"] = check_name(request.new_name, "new_name")
    if request.start_measure is not None:
        changes["start_measure"] = request.start_measure
    if request.end_measure is not None:
        changes["end_measure"] = request.end_measure
    if request.key is not None:
        changes["key"] = read_key(request.key)
    if request.description is not None:
        changes["description"] = clean_description(request.description)
    if request.tempo is not None:
        changes["tempo"] = read_section_tempo(request.tempo)
    if request.time_signature is not None:
        changes["time_signature"] = request.time_signature.name if request.time_signature else None
    changed = replace(section, **changes)  # type: ignore[arg-type]
    with rename_fields({"name": "new_name"}):
        return _with(without(song, section), changed), changed


def without(song: Song, section: Section) -> Song:
    return song.with_sections([each for each in song.sections if each is not section])


def read_key(text: str | None) -> str | None:
    """Return a key as the user wrote it, such as `Dm`, without surrounding spaces; None for an empty text.

    Raise INVALID_KEY if it is not a key.
    """
    if not text or not text.strip():
        return None
    with in_field("key"):
        parse_key(text)
    return text.strip()


def read_section_tempo(tempo: float) -> float | None:
    """Return the tempo of a section, or None for 0, which means the song's tempo. Raise INVALID_TEMPO if too slow."""
    if 0 < tempo < MIN_TEMPO:
        message = f"'tempo' is {tempo:g}; write {MIN_TEMPO} to {MAX_TEMPO} beats per minute, or 0 for the song's tempo."
        raise MusicError("INVALID_TEMPO", message, ["120", "0"], "tempo")
    return tempo or None


def _with(song: Song, section: Section) -> Song:
    """Return the song with one more section. Raise END_BEFORE_START, SECTION_EXISTS or SECTION_OVERLAP."""
    if section.end_measure < section.start_measure:
        raise MusicError(
            "END_BEFORE_START",
            f"The section would end at bar {section.end_measure}, before it begins at bar {section.start_measure}.",
            [f"end_measure: {section.start_measure}"],
            "end_measure",
        )
    taken = next((each for each in song.sections if each.name.casefold() == section.name.casefold()), None)
    if taken is not None:
        raise MusicError(
            "SECTION_EXISTS",
            f"There is already a section {taken.name!r}. Choose another name, or change that one with edit_section.",
            [f"{section.name} 2", "edit_section"],
            "name",
        )
    for other in song.sections:
        if section.start_measure <= other.end_measure and other.start_measure <= section.end_measure:
            free = max(each.end_measure for each in song.sections) + 1
            raise MusicError(
                "SECTION_OVERLAP",
                f"Bars {section.start_measure}-{section.end_measure} overlap {other.name!r}, which has bars "
                f"{other.start_measure}-{other.end_measure}. Sections may not overlap.",
                [f"start_measure: {free}, end_measure: {free + section.measures - 1}"],
                "start_measure",
            )
    return song.with_sections([*song.sections, section])


MAX_DESCRIPTION = 4000


def clean_description(text: str) -> str | None:
    """Return a description without invisible and direction-changing characters; None if it is empty."""
    kept = visible_text(text, "description").strip()
    if len(kept) > MAX_DESCRIPTION:
        raise MusicError(
            "INVALID_INPUT",
            f"'description' has {len(kept):,} characters; at most {MAX_DESCRIPTION:,} are allowed. Shorten it.",
            field="description",
        )
    return kept or None


def require_change(changes: Iterable[str], given: ToolInput) -> None:
    """Raise INVALID_INPUT if a request gives none of the fields that it could change."""
    names = list(changes)
    if all(getattr(given, name) is None for name in names):
        choices = f"{', '.join(names[:-1])} or {names[-1]}"
        raise MusicError("INVALID_INPUT", f"Give what to change: {choices}.", names[:3])
