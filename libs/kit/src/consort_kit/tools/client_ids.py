"""The id of the calling client, in the header `Consort-Client`.

A client is one conversation, such as an assistant's session or the command line of one data folder. Services use the id
to remember things per client, such as the client's last used song. The id is not a secret and gives no rights.
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
    """Return `text`, which may be None. Raise InvalidInput if it has forbidden characters, or not 1 to 80 of them."""
    if text is None or is_client_id(text):
        return text
    raise InvalidInput(
        f"The header {CLIENT_HEADER} must have {CLIENT_ID_SPELLING}, for example 'my-app-1'.",
        field=CLIENT_HEADER,
        suggestions=["my-app-1"],
    )
