"""Store the MIDI files of songs and composed scores in midi-store, and copy them to the export folder."""

from typing import Any, Literal

from consort_kit.http.service_client import ServiceClient, error_of


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
    return await _request(client, "/files", params=query, content=content)


async def copy_to_export_folder(
    client: ServiceClient, midi_file_id: str, file_name: str, *, overwrite: bool
) -> dict[str, Any]:
    """Copy a stored file to the export folder and return the answer of midi-store, with both paths.

    Raise the error that midi-store answers.
    """
    wanted = {"midi_file_id": midi_file_id, "export_name": file_name, "overwrite": overwrite}
    return await _request(client, "/tools/export_midi", json=wanted)


async def _request(client: ServiceClient, path: str, **options: Any) -> dict[str, Any]:
    answer = await client.request("midi-store", "POST", path, **options)
    if answer.status_code not in (200, 201):
        raise error_of(answer)
    body: dict[str, Any] = answer.json()
    return body
