"""Send a blob, or the part of it that a browser asks for (RFC 9110, range requests), without reading it into memory."""

import re
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from consort_kit.errors import InvalidInput
from consort_kit.storage.blobs import Blobs, missing_blob

_ONE_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
_CACHE = "private, max-age=3600, immutable"


async def blob_response(
    request: Request, blobs: Blobs, key: str, *, etag: str, media_type: str, headers: dict[str, str]
) -> Response:
    """Return the response to a GET or HEAD request for a blob that never changes.

    `Range` (one range), `If-Range` and `If-None-Match` are respected. Raise NotFound if the blob is missing.
    """
    size = await blobs.size(key)
    if size is None:
        raise missing_blob(key)
    quoted = f'"{etag}"'
    headers = {**headers, "Accept-Ranges": "bytes", "ETag": quoted, "Cache-Control": _CACHE}
    if request.headers.get("if-none-match") == quoted:
        return Response(status_code=304, headers=headers)
    status, start, end = 200, 0, size
    wanted = request.headers.get("range", "")
    if wanted and request.headers.get("if-range", quoted) == quoted:
        found = _find_range(wanted, size)
        if found is not None:
            status, (start, end) = 206, found
            if start >= end:
                return _outside(size)
            headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    headers["Content-Length"] = str(end - start)
    if request.method == "HEAD":
        return Response(status_code=status, headers=headers, media_type=media_type)
    parts = blobs.stream(key, start, end)
    first = await anext(parts, b"")  # so that a blob that was just deleted is an error, not a response that ends early
    return StreamingResponse(_joined(first, parts), status, headers, media_type)


async def _joined(first: bytes, parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for part in parts:
        yield part


def _find_range(wanted: str, size: int) -> tuple[int, int] | None:
    """Return the start and the end of a range, which may be outside the file.

    Return None if the header is not one range: it is then ignored, and all bytes are sent.
    """
    match = _ONE_RANGE.fullmatch(wanted.replace(" ", ""))
    if match is None or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:
        return max(0, size - int(last)), size
    if last and int(last) < int(first):
        return None
    return int(first), min(size, int(last) + 1) if last else size


def _outside(size: int) -> Response:
    error = InvalidInput(
        f"The header 'Range' asks for bytes beyond the end of the file of {size:,} bytes. Example: bytes=0-999.",
        code="RANGE_OUTSIDE_FILE",
        suggestions=["bytes=0-999"],
        details={"bytes": size},
    )
    return Response(
        error.response().model_dump_json(),
        416,
        {"Content-Range": f"bytes */{size}"},
        media_type="application/json",
    )
