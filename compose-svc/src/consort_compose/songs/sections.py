"""Adding, changing and removing sections. They may not overlap, and each has a name of its own."""

from dataclasses import replace

from consort_compose.songs.models import EditSection, SectionFields
from consort_compose.songs.song import MAX_SECTIONS, MAX_TEMPO, MIN_TEMPO, Section, Song
from consort_compose.songs.timeline import metre_of
from consort_compose.songs.words import description_given, fields_called, name_given, refuse_no_change, section_of
from consort_music.errors import MusicError, in_field
from consort_music.keys import parse_key

_CHANGEABLE = ("new_name", "start_measure", "end_measure", "key", "description", "tempo", "time_signature")


def add(song: Song, given: SectionFields) -> tuple[Song, Section]:
    if len(song.sections) >= MAX_SECTIONS:
        raise MusicError(
            "TOO_MANY_SECTIONS",
            f"A song has at most {MAX_SECTIONS} sections. Remove or lengthen one first.",
            ["edit_section", "remove_section"],
            "name",
        )
    section = Section(
        name=name_given(given.name, "name"),
        start_measure=given.start_measure,
        end_measure=given.end_measure,
        key=key_given(given.key),
        description=description_given(given.description or ""),
        tempo=given.tempo,
        time_signature=time_signature_given(given.time_signature),
    )
    return _with(song, section), section


def edit(song: Song, request: EditSection) -> tuple[Song, Section]:
    """What is left out stays; an empty text or 0 means as in the song."""
    section = section_of(song, request.name)
    refuse_no_change(_CHANGEABLE, request)
    changes: dict[str, object] = {}
    if request.new_name is not None:
        changes["name"] = name_given(request.new_name, "new_name")
    if request.start_measure is not None:
        changes["start_measure"] = request.start_measure
    if request.end_measure is not None:
        changes["end_measure"] = request.end_measure
    if request.key is not None:
        changes["key"] = key_given(request.key)
    if request.description is not None:
        changes["description"] = description_given(request.description)
    if request.tempo is not None:
        changes["tempo"] = tempo_given(request.tempo)
    if request.time_signature is not None:
        changes["time_signature"] = time_signature_given(request.time_signature)
    changed = replace(section, **changes)  # type: ignore[arg-type]
    with fields_called({"name": "new_name"}):
        return _with(without(song, section), changed), changed


def without(song: Song, section: Section) -> Song:
    return song.with_sections([each for each in song.sections if each is not section])


def key_given(text: str | None) -> str | None:
    if not text or not text.strip():
        return None
    with in_field("key"):
        parse_key(text)
    return text.strip()


def time_signature_given(text: str | None) -> str | None:
    if not text or not text.strip():
        return None
    with in_field("time_signature"):
        return metre_of(text).name


def tempo_given(tempo: float) -> float | None:
    if 0 < tempo < MIN_TEMPO:
        message = f"'tempo' is {tempo:g}; write {MIN_TEMPO} to {MAX_TEMPO} beats a minute, or 0 for the song's."
        raise MusicError("INVALID_TEMPO", message, ["120", "0"], "tempo")
    return tempo or None


def _with(song: Song, section: Section) -> Song:
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
            f"There is a section {taken.name!r} already. Choose another name, or change that one with edit_section.",
            [f"{section.name} 2", "edit_section"],
            "name",
        )
    for other in song.sections:
        if section.start_measure <= other.end_measure and other.start_measure <= section.end_measure:
            free = max(each.end_measure for each in song.sections) + 1
            raise MusicError(
                "SECTION_OVERLAP",
                f"Bars {section.start_measure}-{section.end_measure} overlap {other.name!r}, which has bars "
                f"{other.start_measure}-{other.end_measure}; sections may not overlap.",
                [f"start_measure: {free}, end_measure: {free + section.measures - 1}"],
                "start_measure",
            )
    return song.with_sections([*song.sections, section])
