"""Forward an HTTP request to a service and stream its response back."""

from collections.abc import AsyncIterator
from urllib.parse import quote

import httpx2
from fastapi import Request
from starlette.responses import Response, StreamingResponse

from consort_gateway.service_calls import ServiceCalls

_REQUEST_HEADERS = (
    "range",
    "if-range",
    "if-none-match",
    "content-type",
    "content-range",
    "content-disposition",
    "consort-upload",
)
_RESPONSE_HEADERS = (
    "content-type",
    "content-length",
    "content-disposition",
    "content-range",
    "accept-ranges",
    "etag",
    "cache-control",
    "content-security-policy",
    "referrer-policy",
)


async def forward(request: Request, service: str, path: str, query: dict[str, str] | None = None) -> Response:
    """Send the request to this path of the service and return the response.

    Only `_REQUEST_HEADERS` and `_RESPONSE_HEADERS` are passed on.
    """
    services: ServiceCalls = request.app.state.services
    answer = await services.client.request(
        service,
        request.method,
        f"/{quote(path)}",
        stream=True,
        params=query or {},
        content=_body(request) if request.method == "PUT" else None,
        headers=_request_headers(request),
    )
    headers = {name: answer.headers[name] for name in _RESPONSE_HEADERS if name in answer.headers}
    return StreamingResponse(_content(answer), answer.status_code, headers)


def _request_headers(request: Request) -> dict[str, str]:
    """Return the headers to pass on, for an upload also its length, so that the service can reject it early."""
    names = (*_REQUEST_HEADERS, "content-length") if request.method == "PUT" else _REQUEST_HEADERS
    return {name: request.headers[name] for name in names if name in request.headers}


async def _body(request: Request) -> AsyncIterator[bytes]:
    async for part in request.stream():
        yield part


async def _content(answer: httpx2.Response) -> AsyncIterator[bytes]:
    try:
        async for part in answer.aiter_raw():
            yield part
    finally:  # also when the browser has disconnected
        await answer.aclose()
