"""What a kind of resources is: its address, how its resources are listed, and how one is read.

A source is the name of a tool, or a GET route (it starts with `/`) of the kind's service. In what is sent, `{}` is
replaced by the value of the address's variable.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote, unquote

from consort_gateway.resources import texts
from consort_gateway.resources.texts import Json


@dataclass(frozen=True)
class Listing:
    """How the resources of a kind are listed."""

    source: str = ""
    """Empty if `items` has the whole list."""
    items: str | tuple[Json, ...] = "items"
    """The field of the answer that has the list; or the list itself."""
    id: str = "id"
    """The field of an item with the value for the address."""
    title: Callable[[Json], str] = lambda item: str(item["name"])
    about: Callable[[Json], str] = lambda item: str(item.get("description") or "")
    changed: str | None = None
    """The field of an item with the time of its last change."""
    search: Callable[[str], Json] | None = None
    """What to send to find items by text. Without it, items are filtered by their id and title."""
    paging: Literal["cursor", "offset"] | None = None
    most: int = 100
    """The highest `limit` that the source takes."""


@dataclass(frozen=True)
class ResourceReading:
    """How a resource is read."""

    sources: tuple[tuple[str, Json], ...] = ()
    text: Callable[..., str] = texts.as_json
    """Gets the value of the variable and the answers, and returns the text. Raises NotFound if they do not match."""
    all_pages_of: str | None = None
    """Ask again with `offset` until this list of the answer is complete."""
    bytes_from: str = ""
    """Instead: the route with the bytes of a binary resource."""
    if_too_large: str = ""
    """The sentence that says what to do instead if there are too many bytes."""


@dataclass(frozen=True)
class ResourceKind:
    name: str
    template: str
    """The address, with one variable in braces."""
    toolset: str | None
    """Offered only with this toolset; None: always."""
    title: str
    description: str
    mime_type: str
    listing: Listing
    reading: ResourceReading
    service: str = ""
    """The service of sources that are routes."""
    is_listed: bool = True
    keeps: bool = False
    """Whether the text changes only with a new version of Consort."""
    prefix: str = field(init=False)
    variable: str = field(init=False)
    suffix: str = field(init=False)

    def __post_init__(self) -> None:
        parts = re.fullmatch(r"(.+)\{(\w+)\}(.*)", self.template)
        assert parts is not None, self.template
        for name, value in zip(("prefix", "variable", "suffix"), parts.groups(), strict=True):
            object.__setattr__(self, name, value)

    def uri_of(self, value: str) -> str:
        return f"{self.prefix}{quote(value, safe='')}{self.suffix}"

    def value_in(self, uri: str) -> str | None:
        """Return the value of the variable in an address, or None if the address is of another kind."""
        if not (uri.startswith(self.prefix) and uri.endswith(self.suffix)):
            return None
        value = uri[len(self.prefix) : len(uri) - len(self.suffix)]
        return None if not value or "/" in value else unquote(value)
