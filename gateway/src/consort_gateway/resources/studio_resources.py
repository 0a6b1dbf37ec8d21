"""List the resources in pages, read one, and complete the variable of an address."""

import base64
import json
from typing import Any, NamedTuple
from urllib.parse import quote

import mcp_types as types

from consort_gateway.resources.kinds import make_kinds
from consort_gateway.resources.resource_kind import ResourceKind
from consort_gateway.resources.texts import Json
from consort_gateway.service_calls import ReportProgress, ServiceCalls
from consort_gateway.tools.catalogue import ToolDefinition, load_catalogue
from consort_kit.errors import InvalidInput, NotFound, ServiceDown, TimedOut, TooLarge
from consort_kit.http.service_client import error_of

PAGE = 50
MAX_COMPLETIONS = 100
MAX_TYPED = 200
"""Characters of the longest text that is searched for. No name is longer."""
MAX_PAGES_OF_A_TEXT = 20
MAX_BYTES = 700_000
"""The largest binary resource. Assistants accept about 1 MB in one answer, and base64 adds a third."""
REFERENCE_TTL_MS = 3_600_000
"""How long a client may use the text of something that changes only with a new version of Consort."""
UNAVAILABLE = "consort/unavailable"
"""In `_meta` of a list: the kinds that are missing because their service is down."""


class _ItemPage(NamedTuple):
    items: list[Json]
    next_place: str | int | None
    """The cursor or offset of the next page, or None if this is the last one."""


class StudioResources:
    def __init__(self, services: ServiceCalls, toolsets: set[str]) -> None:
        """Offer the kinds of resources that belong to these toolsets."""
        self._services = services
        self._tools: dict[str, ToolDefinition] = {tool.name: tool for tool in load_catalogue()}
        self._kinds = [kind for kind in make_kinds() if kind.toolset is None or kind.toolset in toolsets]
        self._listed = [kind for kind in self._kinds if kind.is_listed]

    def templates(self) -> types.ListResourceTemplatesResult:
        templates = [
            types.ResourceTemplate(
                uri_template=kind.template,
                name=kind.name,
                title=kind.title,
                description=kind.description,
                mime_type=kind.mime_type,
            )
            for kind in self._kinds
        ]
        return types.ListResourceTemplatesResult(
            resource_templates=templates, ttl_ms=REFERENCE_TTL_MS, cache_scope="private"
        )

    async def page(self, cursor: str | None, report: ReportProgress) -> types.ListResourcesResult:
        """Return a page of the resources. What a stopped service keeps is left out, and named in `_meta`."""
        index, place = self._read_cursor(cursor) if cursor else (0, None)
        found: list[types.Resource] = []
        unavailable = []
        while index < len(self._listed) and len(found) < PAGE:
            kind = self._listed[index]
            try:
                items, place = await self._items(kind, {}, PAGE - len(found), place, report)
            except (ServiceDown, TimedOut):
                items, place = [], None
                unavailable.append(kind.name)
            found += [_resource(kind, item) for item in items]
            if place is None:
                index += 1
        return types.ListResourcesResult(
            resources=found,
            next_cursor=self._write_cursor(index, place) if index < len(self._listed) else None,
            ttl_ms=0,
            cache_scope="private",
            _meta={UNAVAILABLE: unavailable} if unavailable else None,
        )

    async def read(self, uri: str, report: ReportProgress) -> types.ReadResourceResult:
        """Return the text or the bytes of a resource.

        Raise NotFound or InvalidInput if there is none with this address, TooLarge if it has too many bytes.
        """
        kind, value = self._parse(uri)
        reading = kind.reading
        content: types.TextResourceContents | types.BlobResourceContents
        if reading.bytes_from:
            data = base64.b64encode(await self._read_bytes(kind, value, report)).decode()
            content = types.BlobResourceContents(uri=uri, mime_type=kind.mime_type, blob=data)
        else:
            answers = [await self._read_source(kind, *source, value, report) for source in reading.sources]
            content = types.TextResourceContents(uri=uri, mime_type=kind.mime_type, text=reading.text(value, *answers))
        ttl_ms = REFERENCE_TTL_MS if kind.keeps else 0
        return types.ReadResourceResult(contents=[content], ttl_ms=ttl_ms, cache_scope="private")

    async def complete(self, template: str, variable: str, typed: str, report: ReportProgress) -> types.Completion:
        """Return values for the variable of an address that fit what was typed: part of an id, name or title."""
        kind = next((each for each in self._kinds if each.template == template), None)
        if kind is None:
            known = [each.template for each in self._kinds]
            raise NotFound(f"There is no address {template[:80]!r}.", field="ref.uri", suggestions=known)
        if variable != kind.variable:
            raise InvalidInput(
                f"The variable of {template} is {kind.variable!r}, not {variable[:80]!r}.",
                field="argument.name",
                suggestions=[kind.variable],
            )
        return await self.complete_kind(kind.name, typed, report)

    async def complete_kind(self, name: str, typed: str, report: ReportProgress) -> types.Completion:
        """Return values for the variable of a kind; none if it is switched off, or if no name can contain the text."""
        kind = next((each for each in self._kinds if each.name == name), None)
        if kind is None or len(typed) > MAX_TYPED or not typed.isprintable():
            return types.Completion(values=[])
        listing = kind.listing
        is_id = kind.variable.endswith("_id") and typed.startswith(f"{kind.variable.partition('_')[0]}_")
        searched = listing.search(typed) if listing.search is not None and typed and not is_id else None
        items, place = await self._items(kind, searched or {}, MAX_COMPLETIONS, None, report)
        if searched is None:
            items = [item for item in items if typed.lower() in f"{item[listing.id]} {listing.title(item)}".lower()]
            items.sort(key=lambda item: not str(item[listing.id]).lower().startswith(typed.lower()))
        values = [str(item[listing.id]) for item in items]
        return types.Completion(
            values=values[:MAX_COMPLETIONS], has_more=place is not None or len(values) > MAX_COMPLETIONS
        )

    def _parse(self, uri: str) -> tuple[ResourceKind, str]:
        for kind in self._kinds:
            value = kind.value_in(uri)
            if value is not None:
                _check_known(kind, value)
                return kind, value
        raise NotFound(
            f"There is no resource {uri[:200]!r}. Addresses look like {self._kinds[0].template}: "
            "resources/list and resources/templates/list show them.",
            field="uri",
            suggestions=[kind.template for kind in self._kinds],
        )

    async def _items(
        self, kind: ResourceKind, fields: Json, limit: int, place: str | int | None, report: ReportProgress
    ) -> _ItemPage:
        listing = kind.listing
        if not isinstance(listing.items, str):
            return _ItemPage(list(listing.items), None)
        if listing.paging is None:
            answer = await self._ask(kind, listing.source, fields, report)
            return _ItemPage(answer[listing.items], None)
        paged = {**fields, "limit": min(limit, listing.most)} | ({listing.paging: place} if place is not None else {})
        answer = await self._ask(kind, listing.source, paged, report)
        items = answer[listing.items]
        if listing.paging == "cursor":
            return _ItemPage(items, answer.get("next_cursor"))
        end = int(place or 0) + len(items)
        total = answer.get("filtered_count", answer.get("total_count", 0))
        return _ItemPage(items, end if items and end < total else None)

    async def _read_source(
        self, kind: ResourceKind, source: str, fields: Json, value: str, report: ReportProgress
    ) -> Any:
        sent = _filled(fields, value)
        answer = await self._ask(kind, source.replace("{}", quote(value, safe="")), sent, report)
        name = kind.reading.all_pages_of
        for _ in range(MAX_PAGES_OF_A_TEXT if name else 0):
            if len(answer[name]) >= answer["total_count"]:
                break
            more = await self._ask(kind, source, {**sent, "offset": len(answer[name])}, report)
            answer[name] += more[name]
        return answer

    async def _read_bytes(self, kind: ResourceKind, value: str, report: ReportProgress) -> bytes:
        path = kind.reading.bytes_from.replace("{}", quote(value, safe=""))
        answer = await self._services.get(kind.service, path, {}, report, stream=True)
        try:
            if answer.status_code >= 400:
                await answer.aread()
                raise error_of(answer)
            data = b""
            async for part in answer.aiter_bytes():
                data += part
                if len(data) > MAX_BYTES:
                    raise TooLarge(
                        f"{value} has over {MAX_BYTES:,} bytes, the most that a resource may have. "
                        f"{kind.reading.if_too_large}".rstrip(),
                        field="uri",
                        details={"limit": MAX_BYTES},
                    )
            return data
        finally:
            await answer.aclose()

    async def _ask(self, kind: ResourceKind, source: str, fields: Json, report: ReportProgress) -> Any:
        if source.startswith("/"):
            answer = await self._services.get(kind.service, source, fields, report)
        else:
            answer = await self._services.call(self._tools[source], fields, report)
        if answer.status_code >= 400:
            raise error_of(answer)
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        return json.loads(answer.content) if is_json else answer.text

    def _write_cursor(self, index: int, place: str | int | None) -> str:
        text = json.dumps([self._listed[index].name, place])
        return base64.urlsafe_b64encode(text.encode()).decode()

    def _read_cursor(self, cursor: str) -> tuple[int, str | int | None]:
        try:
            name, place = json.loads(base64.urlsafe_b64decode(cursor))
            index = [kind.name for kind in self._listed].index(name)
            if not (place is None or isinstance(place, str) or type(place) is int):
                raise ValueError("not a place")
        except (ValueError, TypeError, RecursionError) as error:
            raise InvalidInput(
                "'cursor' must be the nextCursor of a page. Leave it out for the first page.",
                code="INVALID_CURSOR",
                field="cursor",
            ) from error
        return index, place


def _check_known(kind: ResourceKind, value: str) -> None:
    """Raise NotFound if all values of the kind are known, and this is none of them."""
    items = kind.listing.items
    if isinstance(items, str):
        return
    known = [str(item[kind.listing.id]) for item in items]
    if value not in known:
        raise NotFound(
            f"{kind.template} has no {kind.variable} {value[:80]!r}. It is one of {', '.join(known)}.",
            field="uri",
            suggestions=known,
        )


def _resource(kind: ResourceKind, item: Json) -> types.Resource:
    listing = kind.listing
    value = str(item[listing.id])
    changed = item.get(listing.changed) if listing.changed else None
    return types.Resource(
        uri=kind.uri_of(value),
        name=value,
        title=listing.title(item),
        description=listing.about(item) or None,
        mime_type=kind.mime_type,
        annotations=types.Annotations(last_modified=changed) if changed else None,
    )


def _filled(fields: Any, value: str) -> Any:
    """Return a copy in which `{}` is replaced by the value."""
    if isinstance(fields, dict):
        return {name: _filled(each, value) for name, each in fields.items()}
    return fields.replace("{}", value) if isinstance(fields, str) else fields
