"""Store MIDI files in midi-store, for services that make them."""

from typing import Any, Literal

from consort_kit.errors import AlreadyExists
from consort_kit.http.service_client import ServiceClient


async def store_midi_file(
    client: ServiceClient,
    content: bytes,
    name: str,
    if_taken: Literal["refuse", "number", "replace"] = "refuse",
    made_from: str | None = None,
) -> dict[str, Any]:
    """Store a file and return the answer of midi-store: its id, name, size, path and link.

    `if_taken` says what happens if another file has this name. `made_from` is the id of a song; the file of an earlier
    export of this song is replaced. Raise the error that midi-store answers.
    """
    query = {"name": name, "if_taken": if_taken} | ({"made_from": made_from} if made_from else {})
    stored: dict[str, Any] = await client.call("midi-store", "POST", "/files", params=query, content=content)
    return stored


async def store_new_midi_file(
    client: ServiceClient, content: bytes, name: str | None, default_name: str
) -> dict[str, Any]:
    """Store a file for a tool that cannot overwrite files, and return the answer of midi-store.

    Without a name, the file gets the default name, with a number if that is taken. Raise AlreadyExists if `name` is
    taken.
    """
    if not name:
        return await store_midi_file(client, content, default_name, "number")
    try:
        return await store_midi_file(client, content, name)
    except AlreadyExists as error:  # midi-store suggests `overwrite`, a field that such a tool does not have
        error.body.message = (
            f"'name' is {name!r}, but a file of this name exists. Give another name, such as tune 2.mid."
        )
        error.body.suggestions = ["another name", "delete_midi the other file first"]
        raise
