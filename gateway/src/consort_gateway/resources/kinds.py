"""The kinds of resources. To add one, add an entry to `make_kinds`."""

import re
from collections.abc import Mapping
from dataclasses import replace

from consort_gateway.guides import load_skills
from consort_gateway.resources import texts
from consort_gateway.resources.resource_kind import Listing, ResourceKind, ResourceReading
from consort_gateway.tools.catalogue import load_catalogue
from consort_music.midi.file_names import MIDI_MEDIA_TYPE

PLAIN, JSON, CODE, MARKDOWN = "text/plain", "application/json", "text/javascript", "text/markdown"
ELEMENTS = {
    "rhythm": "Drums and percussion",
    "bass": "Bass lines",
    "melody": "Leads, riffs and arpeggios",
    "harmony": "Chords and pads",
    "texture": "Drones and atmospheres",
    "fx": "Effects and transitions",
}
"""The elements of clips, as in the filter of search_clips, and what they are."""


def _enum(tool: str, argument: str) -> list[str]:
    (found,) = (each for each in load_catalogue() if each.name == tool)
    values: list[str] = found.input_schema["properties"][argument]["enum"]
    return values


def _static(title: str, names: Mapping[str, str]) -> Listing:
    """Return a list that is known without a request. `names` says what each is about; `{}` in `title` is the name."""
    return Listing(
        items=tuple(
            {"id": name, "name": title.format(name.replace("-", " ")), "description": about}
            for name, about in names.items()
        )
    )


def _as_file(
    kind: ResourceKind, service: str, route: str, suffix: str, mime_type: str, description: str, if_too_large: str
) -> ResourceKind:
    """Return the kind whose resources are the bytes of those of `kind`."""
    return replace(
        kind,
        name=f"{kind.name}_bytes",
        template=kind.template + suffix,
        title=f"{kind.title}, as {suffix.removeprefix('/').upper()}",
        description=description,
        mime_type=mime_type,
        reading=ResourceReading(bytes_from=route, if_too_large=if_too_large),
        service=service,
        is_listed=False,
    )


def _files(kinds: tuple[ResourceKind, ...]) -> tuple[ResourceKind, ...]:
    """Return the kinds with bytes. Their addresses are those of the other kinds with an ending."""
    by_name = {kind.name: kind for kind in kinds}
    export = "export_midi copies it into the folder export/."
    notes = "The bytes of a MIDI file"
    return (
        _as_file(by_name["song"], "compose", "/songs/{}.mid", "/midi", MIDI_MEDIA_TYPE, f"{notes} of a song.", export),
        _as_file(by_name["score"], "compose", "/scores/{}.mid", "/midi", MIDI_MEDIA_TYPE, f"{notes} of a score.", ""),
        _as_file(by_name["midi_file"], "midi-store", "/files/{}", "/midi", MIDI_MEDIA_TYPE, f"{notes}.", export),
        _as_file(
            by_name["audio_file"],
            "audio",
            "/files/{}.mp3",
            "/mp3",
            "audio/mpeg",
            "A recording or another sound of up to about 40 seconds as MP3.",
            "Cut a part with segment_audio, or give the user the listen_url of get_audio_info.",
        ),
    )


def make_kinds() -> tuple[ResourceKind, ...]:
    """Return all kinds, in the order in which their resources are listed. Scores come last: there may be hundreds."""
    kinds = _listed_and_reference()
    return kinds + _files(kinds)


def _listed_and_reference() -> tuple[ResourceKind, ...]:
    return (
        ResourceKind(
            "song",
            "consort://song/{song_id}",
            "songs",
            "Song",
            "A song: tempo, key, tracks, sections, and its notes as text that add_notes takes.",
            PLAIN,
            Listing(
                "list_songs",
                id="song_id",
                title=lambda item: str(item["title"]),
                about=lambda item: f"Song with {item['note_count']} notes",
                changed="updated_at",
                search=lambda text: {"title_contains": text},
                paging="cursor",
            ),
            ResourceReading(
                (
                    ("get_song_info", {"song_id": "{}", "overview": True}),
                    ("get_notes", {"song_id": "{}", "limit": 2000}),
                ),
                texts.song,
            ),
        ),
        ResourceKind(
            "strudel_project",
            "consort://strudel/project/{project_name}",
            "strudel",
            "Strudel project",
            "The current script of a Strudel project.",
            CODE,
            Listing(
                "list_projects",
                items="projects",
                id="name",
                about=lambda item: f"Strudel project, version {item['version']}, {item['line_count']} lines",
                changed="modified",
                search=lambda text: {"filters": {"name_pattern": re.escape(text)}},
                paging="offset",
            ),
            ResourceReading((("get_song", {"project_name": "{}"}),), texts.script),
        ),
        ResourceKind(
            "midi_file",
            "consort://midi/{midi_file_id}",
            "midi",
            "MIDI file",
            "A stored MIDI file as MIDI text, which validate_midi takes.",
            PLAIN,
            Listing(
                "list_midi",
                id="midi_file_id",
                about=lambda item: f"MIDI file of {item['duration_ms'] / 1000:.0f} s, {item['bytes']:,} bytes",
                changed="created_at",
                search=lambda text: {"name_contains": text},
                paging="cursor",
            ),
            ResourceReading((("read_midi_notes", {"midi_file_id": "{}", "limit": 2000}),), texts.midi),
        ),
        ResourceKind(
            "audio_file",
            "consort://audio/{audio_file_id}",
            "audio",
            "Recording or other sound",
            "What is known about a recording or another audio file, and a link to a page that plays it.",
            JSON,
            Listing(
                "list_audio",
                id="audio_file_id",
                about=lambda item: f"Sound ({item['kind']}) of {item['duration']:.1f} s",
                changed="created_at",
                search=lambda text: {"name_contains": text},
                paging="cursor",
            ),
            ResourceReading((("get_audio_info", {"audio_file_id": "{}"}),)),
        ),
        ResourceKind(
            "skill",
            "consort://skill/{skill}",
            None,
            "Guide",
            "How to do a job in the studio: which tools in which order, what good looks like, common mistakes.",
            MARKDOWN,
            _static("Guide: {}", {skill.name: skill.description for skill in load_skills().values()}),
            ResourceReading(text=texts.skill),
            keeps=True,
        ),
        ResourceKind(
            "strudel_functions",
            "consort://strudel/functions/{category}",
            "strudel_library",
            "Strudel functions of a category",
            "The names of the functions of a category. consort://strudel/function/{name} explains one.",
            JSON,
            Listing(
                "get_function_info",
                items="categories",
                id="category",
                title=lambda item: f"Strudel functions: {item['category'].replace('_', ' ')}",
                about=lambda item: str(item["about"]),
            ),
            ResourceReading((("get_function_info", {"category": "{}"}),)),
            keeps=True,
        ),
        ResourceKind(
            "strudel_vocabulary",
            "consort://strudel/vocabulary/{category}",
            "strudel_library",
            "Musical words of a category",
            "Musical words with what they mean and Strudel code for them.",
            PLAIN,
            _static(
                "Musical words: {}",
                {name: f"Words of {name}, with Strudel code for each" for name in _enum("query_vocab", "category")},
            ),
            ResourceReading(
                (("query_vocab", {"category": "{}", "limit": 50}),), texts.vocabulary, all_pages_of="matches"
            ),
            keeps=True,
        ),
        ResourceKind(
            "strudel_clips",
            "consort://strudel/clips/{element}",
            "strudel_library",
            "Clips of an element",
            "The clips for one element of a song, with their addresses.",
            PLAIN,
            _static("Clips: {}", {name: f"{about}, as Strudel code" for name, about in ELEMENTS.items()}),
            ResourceReading(
                (("search_clips", {"query": {"element": "^{}$"}, "limit": 100}),), texts.clips, all_pages_of="clips"
            ),
        ),
        ResourceKind(
            "score",
            "consort://score/{score_id}",
            "compose",
            "Score",
            "Composed music, kept for 30 days, as a note list that the composer's tools take.",
            PLAIN,
            Listing(
                "/scores",
                id="score_id",
                title=lambda item: str(item["title"] or ", ".join(item["parts"]) or "Score"),
                about=lambda item: f"Composed score with {len(item['parts'])} part(s)",
                changed="created_at",
                paging="cursor",
            ),
            ResourceReading((("/scores/{}.txt", {}),), texts.as_text),
            service="compose",
        ),
        ResourceKind(
            "strudel_function",
            "consort://strudel/function/{name}",
            "strudel_library",
            "Strudel function",
            "What a function does, its parameters with useful values, and examples that run.",
            JSON,
            Listing("/functions", id="name", about=lambda item: str(item["category"])),
            ResourceReading((("get_function_info", {"function_name": "{}"}),), texts.function),
            service="strudel",
            is_listed=False,
            keeps=True,
        ),
        ResourceKind(
            "strudel_word",
            "consort://strudel/word/{concept}",
            "strudel_library",
            "Musical word",
            "What a musical word means, Strudel code for it, other ways and related words.",
            JSON,
            Listing(
                "query_vocab",
                items="matches",
                id="concept",
                title=lambda item: str(item["concept"]),
                search=lambda text: {"concept": text},
                paging="offset",
                most=50,
            ),
            ResourceReading((("query_vocab", {"concept": "{}", "limit": 5}),), texts.concept),
            is_listed=False,
            keeps=True,
        ),
        ResourceKind(
            "strudel_clip",
            "consort://strudel/clip/{clip_id}",
            "strudel_library",
            "Clip",
            "A short piece of Strudel code with its name, description and tags.",
            CODE,
            Listing(
                "search_clips",
                items="clips",
                search=lambda text: {"query": {"name_pattern": re.escape(text)}},
                paging="offset",
            ),
            ResourceReading((("get_clip", {"clip_id": "{}"}),), texts.clip),
            is_listed=False,
        ),
    )
