"""Which client a call is from: a short id in the header `Consort-Client`.

A client is one conversation, such as an assistant's session or the command line of one data folder. Services keep by
this id what belongs to one client, such as the song that it used last. It is no secret and gives no rights.
"""

import re

from consort_kit.errors import InvalidInput
from consort_kit.ids import new_id

CLIENT_HEADER = "Consort-Client"
_CLIENT_ID = r"[A-Za-z0-9._:-]{1,80}"
CLIENT_ID_SPELLING = "1 to 80 letters, digits, dots, colons, hyphens and underscores"


def new_client_id() -> str:
    return new_id("client")


def is_client_id(text: str) -> bool:
    return re.fullmatch(_CLIENT_ID, text) is not None


def check_client_id(text: str | None) -> str | None:
    """Return the id, or None if there is none; raise InvalidInput if it is not written like one."""
    if text is None or is_client_id(text):
        return text
    raise InvalidInput(
        f"The header {CLIENT_HEADER} must have {CLIENT_ID_SPELLING}, for example 'my-app-1'.",
        field=CLIENT_HEADER,
        suggestions=["my-app-1"],
    )
