"""Every failed request gets an `ErrorResponse` whose message says what to change."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pydantic import Field, field_validator
from starlette.testclient import TestClient

from consort_kit.errors import AlreadyExists, ErrorResponse, NotFound, TimedOut, field_error
from consort_kit.http.app import create_app
from consort_kit.ids import id_pattern
from consort_kit.settings import Settings
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_kit.tools.tool_decorator import tool, tool_router
from consort_kit.tools.validation import IdTools
from tests.support.errors_and_faults.error_shape import check_error_answer

TUNE = "/tools/tune"
ID_KINDS = {"midi": "a MIDI file", "song": "a song", "audio": "an audio file"}
ID_TOOLS = IdTools({("midi", "song"): "song_export_midi"}, {"midi": "list_midi"}, ID_KINDS)
JSON = {"Content-Type": "application/json"}


class TuneVoice(ToolInput):
    name: str = Field(min_length=1)
    body: int = 0


class TuneMove(ToolInput):
    type: Literal["move"]
    by: int = Field(le=12)


class TuneTurn(ToolInput):
    type: Literal["turn"]
    turn: int


class TuneInput(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"file_id": "midi_file_id"}

    title: str
    start_at_ms: int = 0
    tempo: float = 120.0
    midi_file_id: str | None = Field(None, pattern=id_pattern("midi"))
    scale: str = "major"
    voices: list[TuneVoice] = Field(default_factory=list)
    tags: dict[str, int] = Field(default_factory=dict)
    anything: Any = None
    moves: list[Annotated[TuneMove | TuneTurn, Field(discriminator="type")]] = Field(default_factory=list)

    @field_validator("scale")
    @classmethod
    def _known_scale(cls, scale: str) -> str:
        if scale not in ("major", "minor"):
            raise field_error("INVALID_SCALE", f"there is no scale {scale!r} {{in}} %s", ["major", "minor"])
        return scale


class TuneOutput(ToolOutput):
    title: str
    start_at_ms: int
    midi_file_id: str | None


class FailInput(ToolInput):
    how: str


router = tool_router()


@tool(router, title="Tune", toolset="tests", effect="read")
async def tune(body: TuneInput) -> TuneOutput:
    """Return what was given."""
    return TuneOutput(title=body.title, start_at_ms=body.start_at_ms, midi_file_id=body.midi_file_id)


@tool(router, title="Fail", toolset="tests", effect="read", errors=(NotFound,))
async def fail(body: FailInput) -> TuneOutput:
    """Fail in the given way."""
    match body.how:
        case "taken":
            raise AlreadyExists("taken", field="name", suggestions=["other"], details={"limit": float("inf")})
        case "partial":
            raise TimedOut("half done", partial_result={"notes": [1, 2]})
        case "timeout inside":
            raise TimeoutError("of a socket, /etc/secret")
        case _:
            raise RuntimeError("password=hunter2 in /home/alice/x.py")


@pytest.fixture
def app(settings: Settings) -> FastAPI:
    return create_app("compose", "For tests.", [router], settings=settings, id_tools=ID_TOOLS)


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, headers={"Authorization": "Bearer secret-token-of-tests"}) as client:
        yield client


def failed_post(client: TestClient, status: int, content: bytes | str, path: str = TUNE) -> dict[str, Any]:
    """Send a POST and return its error, after checking the shape."""
    answer = client.post(path, content=content, headers=JSON)
    assert answer.status_code == status
    ErrorResponse.model_validate(answer.json(), strict=True)
    return check_error_answer(answer)


def test_an_unknown_route(client: TestClient) -> None:
    error = failed_post(client, 404, "{}", "/nowhere")
    assert error["code"] == "NOT_FOUND" and "/nowhere" in error["message"]


def test_a_wrong_method(client: TestClient) -> None:
    answer = client.get(TUNE)
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "METHOD_NOT_ALLOWED")
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "missing"),
        ("{", "not valid JSON"),
        ('{"title": "a"', "not valid JSON"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b'{"title": "\xed\xa0\x80"}', "not UTF-8"),
        ("[" * 100_000, "nested"),
        ('{"title":' * 100_000, "nested"),
        ('{"title": ' + "9" * 5000 + "}", "read as JSON"),
        ("[]", "JSON object"),
        ("null", "JSON object"),
        ('"text"', "JSON object"),
        ("3", "JSON object"),
        ('{"title": "a", "tempo": NaN}', "NaN"),
        ('{"title": "a", "anything": [-Infinity]}', "-Infinity"),
        (r'{"title": "\ud800"}', "surrogate"),
        (r'{"title": "a", "anything": {"x": ["\udfff"]}}', "surrogate"),
        (r'{"\ud83c": 1}', "surrogate"),
        (r'{"title": "a\u0000b"}', "NUL"),
        (r'{"title": "a", "tags": {"\u0000": 1}}', "NUL"),
    ],
    ids=lambda value: repr(value[:24]),
)
def test_a_body_that_cannot_be_read(client: TestClient, content: bytes | str, says: str) -> None:
    error = failed_post(client, 422, content)
    assert error["code"] == "INVALID_INPUT" and error["field"] is None
    assert says in error["message"]


def test_escaped_surrogate_pairs_and_backslashes_are_valid(client: TestClient) -> None:
    answer = client.post(TUNE, content=r'{"title": "\ud83c\udfb5 \\u0000 \\ud800 \u00e9"}', headers=JSON)
    assert answer.json()["title"] == "🎵 \\u0000 \\ud800 é"


def test_a_body_of_another_content_type(client: TestClient) -> None:
    answer = client.post(TUNE, content='{"title": "a"}', headers={"Content-Type": "text/plain"})
    assert answer.status_code == 422 and "application/json" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("body", "code", "field", "says"),
    [
        ({}, "INVALID_INPUT", "title", "'title' is missing"),
        ({"title": 3}, "INVALID_INPUT", "title", "'title' must be text, not 3."),
        ({"title": "a", "tempo": "fast"}, "INVALID_INPUT", "tempo", "number"),
        ({"title": "a", "scale": "odd"}, "INVALID_SCALE", "scale", "There is no scale 'odd' {in} %s."),
        ({"title": "a", "voices": [{"name": "b"}, {"name": ""}]}, "INVALID_INPUT", "voices.1.name", "voices.1.name"),
        ({"title": "a", "voices": [{"name": "b", "body": "x"}]}, "INVALID_INPUT", "voices.0.body", "voices.0.body"),
        ({"title": "a", "voices": [{"nam": "b"}]}, "INVALID_INPUT", "voices.0.nam", "Did you mean 'name'?"),
        ({"title": "a", "midi_file_id": "midi_1"}, "INVALID_INPUT", "midi_file_id", "('midi_' and 26 letters"),
        (
            {"title": "a", "midi_file_id": f"song_{'a' * 26}"},
            "INVALID_INPUT",
            "midi_file_id",
            f"must be the id of a MIDI file, but song_{'a' * 26} is a song. Call song_export_midi with it, and",
        ),
        (
            {"title": "a", "midi_file_id": f"audio_{'a' * 26}"},
            "INVALID_INPUT",
            "midi_file_id",
            f"audio_{'a' * 26} is an audio file. list_midi shows the ids.",
        ),
        ({"title": "a", "tempoo": 1}, "INVALID_INPUT", "tempoo", "Did you mean 'tempo'?"),
        (
            {"title": "a", "moves": [{"type": "move", "by": 13}]},
            "INVALID_INPUT",
            "moves.0.by",
            "'moves.0.by' must be 12 or less, not 13.",
        ),
        ({"title": "a", "moves": [{"type": "move", "b": 1}]}, "INVALID_INPUT", "moves.0.b", "Did you mean 'by'?"),
        ({"title": "a", "moves": [{"type": "turn"}]}, "INVALID_INPUT", "moves.0.turn", "'moves.0.turn' is missing."),
        (
            {"title": "a", "moves": [{"type": "jump"}]},
            "INVALID_INPUT",
            "moves.0.type",
            "must be one of 'move', 'turn', not \"jump\".",
        ),
        ({"title": "a", "moves": [{"by": 1}]}, "INVALID_INPUT", "moves.0.type", "'moves.0.type' is missing"),
        ({"title": "a", "moves": ["move"]}, "INVALID_INPUT", "moves.0", "'moves.0' must be a JSON object"),
        (
            {"title": "a", "startAtMS": 1, "start_at_ms": 2},
            "INVALID_INPUT",
            None,
            "'start_at_ms' is given twice with different values, as 'startAtMS' and as 'start_at_ms'.",
        ),
        ({"title": "a", "melody": "C4"}, "INVALID_INPUT", "melody", "Did you mean 'midi_file_id'?"),
    ],
)
def test_a_wrong_field(client: TestClient, body: dict[str, Any], code: str, field: str | None, says: str) -> None:
    error = failed_post(client, 422, json.dumps(body))
    assert (error["code"], error["field"]) == (code, field)
    assert says in error["message"]


def test_suggestions(client: TestClient) -> None:
    assert failed_post(client, 422, '{"title": "a", "Tempi": 1}')["suggestions"] == ["tempo"]
    assert failed_post(client, 422, '{"title": "a", "scale": "x"}')["suggestions"] == ["major", "minor"]
    assert failed_post(client, 422, '{"title": "a", "moves": [{"type": "x"}]}')["suggestions"] == ["move", "turn"]
    assert failed_post(client, 422, '{"title": "a", "qqqq": 1}')["suggestions"] == list(TuneInput.model_fields)


def test_several_problems_are_listed_in_details(client: TestClient) -> None:
    error = failed_post(client, 422, '{"tempo": "x", "scale": "odd"}')
    assert "2 more problems are listed in 'details'" in error["message"]
    assert [each["field"] for each in error["details"]] == ["title", "tempo", "scale"]
    assert [each["code"] for each in error["details"]] == ["INVALID_INPUT", "INVALID_INPUT", "INVALID_SCALE"]


def test_a_very_long_field_name_is_shortened(client: TestClient) -> None:
    error = failed_post(client, 422, json.dumps({"title" * 500_000: 1}))
    assert len(error["message"]) < 400 and len(error["field"]) <= 80


def test_camel_case_and_aliases_are_accepted_and_not_shown(client: TestClient, app: FastAPI) -> None:
    midi = "midi_" + "a" * 26
    for name in ("midi_file_id", "midiFileId", "file_id", "fileId", "FileID"):
        answer = client.post(TUNE, json={"title": "a", "startAtMs": 7, name: midi})
        assert answer.json() == {"title": "a", "start_at_ms": 7, "midi_file_id": midi}, name
    assert client.post(TUNE, json={"title": "a", "fileId": midi, "file_id": midi}).status_code == 200
    shown = app.openapi()["components"]["schemas"]["TuneInput"]["properties"]
    assert list(shown) == list(TuneInput.model_fields)


def test_an_error_that_a_tool_raises(client: TestClient) -> None:
    error = failed_post(client, 409, '{"how": "taken"}', "/tools/fail")
    assert error["suggestions"] == ["other"] and error["details"] == {"limit": None}  # JSON has no infinity
    answer = client.post("/tools/fail", json={"how": "partial"})
    assert (answer.status_code, answer.json()["partial_result"]) == (504, {"notes": [1, 2]})


@pytest.mark.parametrize("how", ["crash", "timeout inside"])
def test_an_unexpected_failure_shows_only_the_request_id(client: TestClient, how: str) -> None:
    answer = client.post("/tools/fail", json={"how": how}, headers={"X-Request-ID": "my-id.7"})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (500, "INTERNAL_ERROR")
    assert error["details"] == {"request_id": "my-id.7"} and "my-id.7" in error["suggestions"][0]
    for secret in ("hunter2", "alice", "RuntimeError", "secret", "Timeout"):
        assert secret not in answer.text


@pytest.mark.parametrize("depth", [50, 150, 300, 600, 850, 900, 950, 1000])
def test_deeply_nested_values_cause_no_server_error(client: TestClient, depth: int) -> None:
    deep = "[" * depth + "]" * depth
    for body in (f'{{"title": {deep}}}', f'{{"title": "a", "fileId": {deep}, "file_id": {deep}}}'):
        assert client.post(TUNE, content=body, headers=JSON).status_code == 422
    assert client.post(TUNE, content=f'{{"title": "a", "anything": {deep}}}', headers=JSON).status_code < 500


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=8,
)
bodies = st.dictionaries(st.sampled_from([*TuneInput.model_fields, "fileId"]) | st.text(max_size=12), json_values)


@hypothesis_settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=bodies | json_values)
def test_no_json_causes_a_server_error(client: TestClient, body: Any) -> None:
    answer = client.post(TUNE, content=json.dumps(body), headers=JSON)
    if answer.status_code != 200:
        assert answer.status_code == 422 and check_error_answer(answer)


def test_settings_need_no_environment(tmp_path: Path) -> None:
    assert create_app("audio", "For tests.", [], settings=Settings(data=tmp_path)).title == "Consort audio"


class BarsInput(ToolInput):
    units: ClassVar[dict[str, str]] = {"start_time": "beats", "end_time": "beats"}

    first_bar: int | None = Field(None, description="From 1.")
    last_bar: int | None = None
    start_time: float | str | None = None
    end_time: float | str | None = None
    start_at_ms: int | None = None
    tempo_scale: float | None = None
    tracks: dict[str, str] = Field(default_factory=dict, examples=[{"Lead": "Flute"}])
    parts: dict[str, str] = Field(default_factory=dict)
    mode: Literal["text", "objects"] = "text"
    names: list[str] = Field(default_factory=list, max_length=2)
    count: int = Field(1, ge=1)
    volume: int | None = Field(None, ge=0, le=127)
    limit: int = Field(20, ge=1, le=100)


class NoteInput(ToolInput):
    pitch: str = Field(description="A name or number")


class WriteInput(BarsInput):
    song_id: str | None = Field(None, description="Default: last used.", pattern=id_pattern("song"))
    notes: list[NoteInput] = Field(description="One or more.")


@tool(router, title="Write", toolset="tests", effect="read")
async def write(body: WriteInput) -> TuneOutput:
    """Write.

    Example: {"notes": [{"pitch": "C4"}], "parts": {"melody": "Flute"}}
    """
    return TuneOutput(title="", start_at_ms=0, midi_file_id=None)


@pytest.mark.parametrize(
    ("given", "suggested"),
    [
        ("start_bar", ["last_bar", "first_bar"]),
        ("end_measure", ["first_bar", "last_bar"]),
        ("bars", ["last_bar"]),
        ("start_beat", ["start_time"]),
        ("endBeats", ["end_time"]),
        ("start_ms", ["start_at_ms"]),
        ("start_seconds", list(WriteInput.model_fields)),
        ("tempo", list(WriteInput.model_fields)),
        ("start_tim", ["start_time", "start_at_ms"]),
    ],
)
def test_no_field_of_another_unit_is_suggested(client: TestClient, given: str, suggested: list[str]) -> None:
    error = failed_post(client, 422, json.dumps({given: 1}), "/tools/write")
    assert (error["field"], error["suggestions"]) == (given, suggested)
    assert error["message"].startswith(f"There is no field '{given}'.")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"notes": []}, None),
        ({}, '\'notes\' is missing. Its description: One or more. Example: {"notes": [{"pitch": "C4"}]}.'),
        (
            {"notes": [{}]},
            '\'notes.0.pitch\' is missing. Its description: A name or number. Example: {"pitch": "C4"}.',
        ),
        ({"notes": "C4"}, '\'notes\' must be a list, not "C4". Example: {"notes": [{"pitch": "C4"}]}.'),
        ({"tracks": ["Lead"]}, '\'tracks\' must be a JSON object, not a list. Example: {"tracks": {"Lead": "Flute"}}.'),
        ({"parts": 3}, '\'parts\' must be a JSON object, not 3. Example: {"parts": {"melody": "Flute"}}.'),
        ({"song_id": 7}, '\'song_id\' must be text, not 7. Example: {"song_id": "song_4r0c…"}.'),
        ({"start_time": []}, "'start_time' must be a number or text, not a list."),
        ({"startTime": {}}, "'start_time' must be a number or text, not an object."),
        ({"mode": "json"}, "'mode' must be one of 'text' or 'objects', not \"json\". Example: {\"mode\": \"text\"}."),
        ({"names": ["a", "b", "c"]}, "'names' must be a list of 2 or fewer items, not 3."),
        ({"count": 0}, "'count' must be 1 or more, not 0. Example: {\"count\": 1}."),
        ({"volume": 200}, "'volume' must be from 0 to 127, not 200."),
        ({"limit": 0}, "'limit' must be from 1 to 100, not 0. Example: {\"limit\": 20}."),
        ({"count": "x" * 99}, f'\'count\' must be a whole number, not "{"x" * 40}…". Example: {{"count": 1}}.'),
    ],
)
def test_a_message_has_what_is_allowed_and_an_example(
    client: TestClient, wrong: dict[str, Any], message: str | None
) -> None:
    whole = wrong if "notes" in wrong or not wrong else {"notes": [], **wrong}
    answer = client.post("/tools/write", json=whole)
    assert (answer.json()["error"]["message"] if answer.status_code == 422 else None) == message
