"""Prompts over MCP, in both protocols."""

import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from consort_gateway.guides import load_skills
from tests.support.errors_and_faults.error_shape import check_error_shape
from tests.support.servers.mcp_clients import RunClient

MAX_BYTES_OF_THE_LIST = 3_500
REQUIRED = {
    "write_song": {"idea": "rain on a tin roof"},
    "arrange_melody": {"melody": "C4:q D4:q E4:h"},
    "counterpoint_lesson": {},
    "practise_scale": {"scale": "G major"},
    "make_strudel_track": {"style": "dub"},
    "tidy_midi_file": {"file": "midi_abc"},
}


def test_prompts_are_described_and_short(run_client: RunClient) -> None:
    async def work(client: Client) -> None:
        listed = await client.list_prompts()
        assert {
            prompt.name: {each.name for each in prompt.arguments or [] if each.required} for prompt in listed.prompts
        } == {name: set(arguments) for name, arguments in REQUIRED.items()}
        for prompt in listed.prompts:
            assert prompt.title and prompt.description
            assert prompt.arguments and all(each.description for each in prompt.arguments)
        size = len(listed.model_dump_json(by_alias=True, exclude_none=True))
        assert size <= MAX_BYTES_OF_THE_LIST

    run_client(work)


def test_a_prompt_is_the_wish_and_its_guide(run_client: RunClient) -> None:
    async def work(client: Client) -> None:
        bodies = [skill.body for skill in load_skills().values()]
        used = set()
        for name, arguments in REQUIRED.items():
            (message,) = (await client.get_prompt(name, dict(arguments))).messages
            assert message.role == "user" and isinstance(message.content, types.TextContent)
            wish, _, guide = message.content.text.partition("\n\n")
            assert all(value in wish for value in arguments.values())
            (body,) = (each for each in bodies if message.content.text.endswith(each))
            assert body in guide
            used.add(body)
        assert used == set(bodies), "each guide belongs to a prompt"
        full = await client.get_prompt("write_song", {"idea": "rain", "tempo": "92", "key": "D dorian", "genre": " "})
        assert isinstance(full.messages[0].content, types.TextContent)
        text = full.messages[0].content.text
        assert text.startswith("Write a song for me.\nIt is about: rain.\nKey: D dorian.\nTempo: 92 BPM.\n\n")

    run_client(work)


WRONG: list[tuple[str, dict[str, str], str | None, str]] = [
    ("write_song", {}, "idea", "Give 'idea'"),
    ("write_song", {"idea": "  "}, "idea", "Give 'idea'"),
    ("practise_scale", {}, "scale", "Example: C major."),
    ("write_song", {"idea": "x", "tempo": "fast"}, "tempo", "from 20 to 400, not 'fast'. Example: 70."),
    ("write_song", {"idea": "x", "tempo": "401"}, "tempo", "from 20 to 400"),
    ("counterpoint_lesson", {"species": "6"}, "species", "from 1 to 5"),
    ("write_song", {"idea": "x", "mood": "sad"}, "mood", "It has idea, genre, key, tempo."),
    ("arrange_melody", {"melody": "C" * 20_001}, "melody", "Send at most 20,000"),
    ("write_songs", {}, None, "Did you mean write_song?"),
]
"""Prompt, arguments, the field of the error and a part of its message."""


def test_wrong_arguments(run_client: RunClient) -> None:
    async def work(client: Client) -> None:
        for name, arguments, field, message in WRONG:
            with pytest.raises(MCPError) as caught:
                await client.get_prompt(name, arguments)
            assert caught.value.error.code == types.INVALID_PARAMS and message in caught.value.error.message
            error = check_error_shape(caught.value.error.data)
            assert error["field"] == field and error["message"] == caught.value.error.message

    run_client(work)


def test_arguments_are_completed(run_client: RunClient) -> None:
    async def completed(client: Client, prompt: str, argument: str, typed: str) -> list[str]:
        reference = types.PromptReference(type="ref/prompt", name=prompt)
        return (await client.complete(reference, {"name": argument, "value": typed})).completion.values

    async def work(client: Client) -> None:
        assert await completed(client, "write_song", "genre", "f") == ["folk", "film music", "lo-fi"]
        assert await completed(client, "counterpoint_lesson", "species", "") == ["1", "2", "3", "4", "5"]
        assert await completed(client, "write_song", "idea", "r") == []
        with pytest.raises(MCPError, match="has no argument 'gener'"):
            await completed(client, "write_song", "gener", "")
        with pytest.raises(MCPError, match="Did you mean make_strudel_track"):
            await completed(client, "make_strudel", "style", "")

    run_client(work)


def test_prompts_need_their_tools(run_client: RunClient) -> None:
    async def work(client: Client) -> None:
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["make_strudel_track"]
        with pytest.raises(MCPError, match="write_song is switched off, because it needs create_song and add_notes"):
            await client.get_prompt("write_song", {"idea": "rain"})

    run_client(work, toolsets="strudel")


def test_a_read_only_studio_has_no_prompts(run_client: RunClient) -> None:
    async def work(client: Client) -> None:
        assert (await client.list_prompts()).prompts == []

    run_client(work, read_only=True)
