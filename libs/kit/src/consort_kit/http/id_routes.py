"""Find the service that stores the file with a given id, by the prefix of the id. Callers supply the table."""

import re
from collections.abc import Mapping
from typing import TypeAlias
from urllib.parse import quote

from consort_kit.errors import InvalidInput
from consort_kit.ids import beginning_of, id_pattern, prefix_of

IdRoutes: TypeAlias = Mapping[str, tuple[str, str]]
"""`routes[prefix]` is the name of a service, and the path of its route with `{id}` in it."""


def route_of(routes: IdRoutes, any_id: str) -> tuple[str, str]:
    """Return the service that stores the file with this id, and the path of the file at the service.

    Raise InvalidInput if the text is not an id with a prefix in `routes`.
    """
    prefix = prefix_of(any_id)
    if prefix not in routes or not re.fullmatch(id_pattern(prefix), any_id):
        kinds = [f"{beginning_of(each)}…" for each in routes]
        raise InvalidInput(f"{any_id[:80]!r} is not an id such as {' or '.join(kinds)}.", suggestions=kinds)
    service, path = routes[prefix]
    return service, path.format(id=quote(any_id, safe=""))


def is_route(routes: IdRoutes, service: str, path: str) -> bool:
    """Return whether the path is one of the service's routes in `routes`, with a valid id in it."""
    return any(
        service == owner and re.fullmatch(re.escape(route).replace(r"\{id\}", id_pattern(prefix)[1:-1]), path)
        for prefix, (owner, route) in routes.items()
    )
