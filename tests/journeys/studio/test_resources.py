"""Resources and prompts of a real studio, through the official client in both protocols, over HTTP and stdio."""

import asyncio
import base64
import json
import re
from contextlib import AbstractAsyncContextManager
from typing import Any

import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from tests.support.audio_files import as_base64, decoded, sine, wav_bytes
from tests.support.servers.mcp_clients import MODERN, over_http, over_stdio
from tests.support.servers.studio import Studio

MAX_BYTES_OF_A_PAGE = 20_000


HOSTILE = ["%2e%2e%2f%2e%2e%2ftools", "%00", "..", "a%0ab", "x%3Fa=1%23", "%ff%fe", "x" * 20_000, "(a%2B)%2B$aaaaaaaa!"]


@pytest.fixture(scope="module")
def made(studio: Studio) -> dict[str, str]:
    """Make one of each kind, and return what their addresses contain."""
    score = studio.call("generate_melody", key="F major", length_measures=2, seed=1)
    song = studio.call("create_song", title="Resource song", tracks={"Lead": "Flute"})
    studio.call("add_notes", song_id=song["song_id"], score_id=score["score_id"], track="Lead")
    midi = studio.call("compose_export_midi", stream=score["score_id"], name="resource.mid")
    sound = studio.call("store_audio", base64=as_base64(wav_bytes(sine(440, 1.0))), name="resource.wav")
    studio.call("create_project", name="Resource project é", initial_script='drums: s("bd*4")')
    return {
        "song": song["song_id"],
        "score": score["score_id"],
        "midi": midi["data"]["midi"]["midi_file_id"],
        "audio": sound["audio_file_id"],
        "project": "Resource%20project%20%C3%A9",
    }


@pytest.mark.parametrize("mode", [MODERN, "legacy"])
@pytest.mark.parametrize("connect", [over_http, over_stdio])
def test_everything_is_listed_read_and_completed(studio: Studio, made: dict[str, str], connect: Any, mode: str) -> None:
    async def work(connection: AbstractAsyncContextManager[Client]) -> None:
        async with connection as client:
            await check_lists(client, made)
            await check_texts(client, made)
            await check_bytes(client, made)
            await check_completion(client, made)

    asyncio.run(asyncio.wait_for(work(connect(studio, mode)), 120))


async def check_lists(client: Client, made: dict[str, str]) -> None:
    pages = [await client.list_resources()]
    while pages[-1].next_cursor:
        pages.append(await client.list_resources(cursor=pages[-1].next_cursor))
    assert all(len(page.model_dump_json(by_alias=True, exclude_none=True)) < MAX_BYTES_OF_A_PAGE for page in pages)
    listed = [str(each.uri) for page in pages for each in page.resources]
    assert len(listed) == len(set(listed)) and not any("consort/unavailable" in (page.meta or {}) for page in pages)
    mine = {f"consort://{kind}/{made[kind]}" for kind in ("song", "score", "midi", "audio")}
    assert mine | {f"consort://strudel/project/{made['project']}"} <= set(listed)
    assert {"consort://strudel/functions/filters", "consort://strudel/clips/bass"} <= set(listed)


async def text_of(client: Client, uri: str) -> str:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, types.TextResourceContents) and str(content.uri) == uri
    return content.text


async def check_texts(client: Client, made: dict[str, str]) -> None:
    song = await text_of(client, f"consort://song/{made['song']}")
    assert song.startswith("Resource song\n") and "\nLead: " in song
    assert "key F major" in await text_of(client, f"consort://score/{made['score']}")
    assert "track" in await text_of(client, f"consort://midi/{made['midi']}")
    assert json.loads(await text_of(client, f"consort://audio/{made['audio']}"))["duration"] == 1.0
    assert await text_of(client, f"consort://strudel/project/{made['project']}") == 'drums: s("bd*4")'
    assert json.loads(await text_of(client, "consort://strudel/function/lpf"))["category"] == "filters"
    assert "lpf" in json.loads(await text_of(client, "consort://strudel/functions/filters"))["functions"]
    assert "swingBy" in json.loads(await text_of(client, "consort://strudel/word/swing"))["strudel_code"]
    assert "swing: " in await text_of(client, "consort://strudel/vocabulary/rhythm")
    clip = (await text_of(client, "consort://strudel/clips/bass")).split(" ")[0]
    assert (await text_of(client, clip)).startswith("// ")
    for wrong in ("consort://song/song_1", "consort://strudel/function/lpff", "consort://strudel/project/none"):
        with pytest.raises(MCPError) as caught:
            await client.read_resource(wrong)
        assert caught.value.error.code == types.INVALID_PARAMS and caught.value.error.data["error"]["message"]


async def check_bytes(client: Client, made: dict[str, str]) -> None:
    for uri in (
        f"consort://song/{made['song']}/midi",
        f"consort://score/{made['score']}/midi",
        f"consort://midi/{made['midi']}/midi",
    ):
        (content,) = (await client.read_resource(uri)).contents
        assert isinstance(content, types.BlobResourceContents) and content.mime_type == "audio/midi"
        assert base64.b64decode(content.blob).startswith(b"MThd")
    (sound,) = (await client.read_resource(f"consort://audio/{made['audio']}/mp3")).contents
    assert isinstance(sound, types.BlobResourceContents) and sound.mime_type == "audio/mpeg"
    assert len(decoded(base64.b64decode(sound.blob))) == pytest.approx(44_100, rel=0.1)


async def check_completion(client: Client, made: dict[str, str]) -> None:
    for template, name, typed, expected in (
        ("consort://song/{song_id}", "song_id", "resource so", made["song"]),
        ("consort://strudel/project/{project_name}", "project_name", "resource p", "Resource project é"),
        ("consort://midi/{midi_file_id}/midi", "midi_file_id", "resource", made["midi"]),
        ("consort://score/{score_id}", "score_id", made["score"][:12], made["score"]),
        ("consort://audio/{audio_file_id}", "audio_file_id", "resource.w", made["audio"]),
        ("consort://strudel/function/{name}", "name", "lp", "lpf"),
        ("consort://strudel/word/{concept}", "concept", "swing", "swing"),
    ):
        reference = types.ResourceTemplateReference(type="ref/resource", uri=template)
        found = await client.complete(reference, {"name": name, "value": typed})
        assert expected in found.completion.values, template
    prompt = types.PromptReference(type="ref/prompt", name="arrange_melody")
    melodies = await client.complete(prompt, {"name": "melody", "value": "resource"})
    assert {made["song"], made["midi"]} <= set(melodies.completion.values)
    written = await client.get_prompt("arrange_melody", {"melody": made["song"]})
    assert isinstance(written.messages[0].content, types.TextContent)
    assert f"The melody: {made['song']}" in written.messages[0].content.text


def test_hostile_addresses_are_refused(studio: Studio) -> None:
    async def work() -> None:
        async with over_http(studio, MODERN) as client:
            templates = [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
            assert len(templates) == 16
            for template in templates:
                start, name, end = re.split(r"[{}]", template)
                for value in HOSTILE:
                    with pytest.raises(MCPError) as caught:
                        await client.read_resource(f"{start}{value}{end}")
                    assert caught.value.error.code == types.INVALID_PARAMS, (template, value[:40])
                    assert len(caught.value.error.message) < 700
                reference = types.ResourceTemplateReference(type="ref/resource", uri=template)
                for typed in ("%", "\\", "(", "\0", "x" * 5_000):
                    completed = await client.complete(reference, {"name": name, "value": typed})
                    assert len(completed.completion.values) <= 100

    asyncio.run(asyncio.wait_for(work(), 120))
