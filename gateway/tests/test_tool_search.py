"""Tool search: plain words find the right tool among thirty; invalid queries are errors."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_gateway.tools.catalogue import ToolDefinition
from consort_gateway.tools.tool_search import META_TOOLS, ToolSearch
from consort_kit.errors import InvalidInput

TOOLS = {
    "store_midi": "Store a MIDI file: keep a file in the studio and get its id.",
    "get_midi": "Describe a stored MIDI file: duration, tracks, instruments, tempos, keys.",
    "list_midi": "List stored MIDI files, newest first.",
    "export_midi": "Export a stored MIDI file to the export folder.",
    "transform_midi": "Change a stored MIDI file: quantize, transpose, swing, humanize, trim, merge, split.",
    "validate_midi": "Check MIDI text and store it when it is valid.",
    "play_midi": "Play a stored MIDI file on a port, now or later.",
    "stop_playback": "Stop what is playing.",
    "list_ports": "List MIDI output ports: hardware and synth.",
    "create_song": "Begin a new song with tempo, key and metre.",
    "list_songs": "List songs.",
    "delete_song": "Delete a song for good.",
    "add_section": "Add a section such as verse or chorus to a song.",
    "add_track": "Add an instrument track to a song.",
    "add_notes": "Add notes to a track of a song.",
    "undo": "Take back the last change of a song.",
    "redo": "Bring back what undo took.",
    "generate_melody": "Compose a melody over chords, within a range and a contour.",
    "reharmonize": "Give a melody other chords: jazz, modal, simple.",
    "add_voice": "Write a counterpoint voice against a melody, without parallels.",
    "voice_chords": "Voice a chord progression for piano, guitar or choir: drop2, close, quartal.",
    "realize_figured_bass": "Realize a figured bass in four parts.",
    "continue_phrase": "Go on with a phrase in the same style.",
    "midi_to_notation": "Engrave sheet music or guitar tabs as a picture.",
    "midi_to_audio": "Render music to sound with a soundfont.",
    "analyze_rhythm": "Measure timing, onsets and tempo stability of a recording.",
    "analyze_pitch": "Measure intonation of a recording: how in tune it is.",
    "compare_audio": "Compare a recording with a reference.",
    "request_audio_recording": "Ask the user to record: a page with a level meter.",
    "update_canvas": "Change the code of the Strudel canvas.",
}


def definition(name: str, description: str) -> ToolDefinition:
    schema = {"type": "object", "properties": {f"{name}_option": {"type": "string"}}}
    title = name.replace("_", " ").capitalize()
    return ToolDefinition(name, "tests", "read", "compose", f"/tools/{name}", title, description, schema)


SEARCH = ToolSearch([definition(name, description) for name, description in TOOLS.items()])


def found(query: str, limit: int = 5) -> list[str]:
    return [tool["name"] for tool in SEARCH.find({"query": query, "limit": limit})["tools"]]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("store a midi file", "store_midi"),
        ("list my midi files", "list_midi"),
        ("transpose", "transform_midi"),
        ("quantize a file", "transform_midi"),
        ("which MIDI ports are there?", "list_ports"),
        ("delete song", "delete_song"),
        ("delete_song", "delete_song"),
        ("Compose a MELODY", "generate_melody"),
        ("jazz chords for a melody", "reharmonize"),
        ("guitar tabs", "midi_to_notation"),
        ("is my recording in tune", "analyze_pitch"),
        ("record the user", "request_audio_recording"),
        ("figured bass", "realize_figured_bass"),
        ("counterpoint", "add_voice"),
        ("undo", "undo"),
        ("strudel", "update_canvas"),
        ("add_section_option", "add_section"),
    ],
)
def test_plain_words_find_the_tool(query: str, first: str) -> None:
    assert found(query)[0] == first


@pytest.mark.parametrize(
    ("query", "among"),
    [
        ("quantize the notes of a file", "transform_midi"),
        ("what can I do with a recording that I made", "compare_audio"),
        ("please write the chorus of my song", "add_section"),
    ],
)
def test_sentences_find_the_tool_among_the_first_three(query: str, among: str) -> None:
    assert among in found(query, 3)


@pytest.mark.parametrize(
    ("query", "among"),
    [
        ("trash the song", "delete_song"),
        ("transposing files", "transform_midi"),
        ("the player's intonations", "analyze_pitch"),
        ("a tune with changes", "generate_melody"),
        ("halt", "stop_playback"),
    ],
)
def test_other_endings_and_words_of_the_same_meaning_find_the_tool(query: str, among: str) -> None:
    assert among in found(query, 3)


def test_the_description_of_a_parameter_finds_the_tool() -> None:
    inner = {"type": "object", "properties": {"capo": {"type": "integer", "description": "Fret."}}}
    schema = {"type": "object", "properties": {"strings": {"type": "array", "items": inner}}}
    tool = ToolDefinition("tabs", "tests", "read", "compose", "/tools/tabs", "Tabs", "Write tabs.", schema)
    search = ToolSearch([definition("look", "Look."), tool])
    assert [each["name"] for each in search.find({"query": "capo at a fret"})["tools"]] == ["tabs"]


def test_the_best_two_are_shown_completely() -> None:
    answer = SEARCH.find({"query": "midi", "limit": 4})
    assert len(answer["tools"]) == 4 and answer["total_tools"] == len(TOOLS)
    for tool in answer["tools"][:2]:
        assert set(tool) == {"name", "title", "description", "inputSchema", "annotations"}
    for tool in answer["tools"][2:]:
        assert set(tool) == {"name", "description"}
        sentence = tool["description"]
        assert TOOLS[tool["name"]].startswith(sentence) and sentence.endswith(".") and ". " not in sentence
    assert len(SEARCH.find({"query": "midi"})["tools"]) == 5


def test_unknown_words_find_nothing() -> None:
    assert found("zebra umbrella") == []


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({}, "query"),
        ({"query": ""}, "query"),
        ({"query": "  \n"}, "query"),
        ({"query": "?!*"}, "query"),
        ({"query": None}, "query"),
        ({"query": ["midi"]}, "query"),
        ({"query": "midi", "limit": 0}, "limit"),
        ({"query": "midi", "limit": 21}, "limit"),
        ({"query": "midi", "limit": "5"}, "limit"),
        ({"query": "midi", "limit": None}, "limit"),
        ({"query": "midi", "count": 3}, "count"),
    ],
)
def test_invalid_queries(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        SEARCH.find(arguments)
    assert (caught.value.body.code, caught.value.body.field) == ("INVALID_INPUT", field)


@given(st.text(max_size=40), st.integers(1, 20))
def test_any_query_is_answered_or_invalid(query: str, limit: int) -> None:
    try:
        assert len(found(query, limit)) <= limit
    except InvalidInput:
        assert not any(letter.isalnum() for letter in query)


def test_an_empty_catalogue() -> None:
    assert ToolSearch([]).find({"query": "midi"}) == {"tools": [], "total_tools": 0}


def test_the_two_tools_are_described() -> None:
    for each in META_TOOLS:
        assert each["title"] and "title" not in each["annotations"] and each["description"]
        assert all("description" in field for field in each["inputSchema"]["properties"].values())
