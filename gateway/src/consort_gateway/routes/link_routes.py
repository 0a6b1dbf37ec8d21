"""Signed links, by which a browser downloads or uploads a file without the token."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from consort_gateway.routes.error_page import error_page, error_page_of, expects_page
from consort_gateway.routes.forwarding import forward
from consort_gateway.routes.upload_page import upload_page
from consort_kit.errors import ConsortError, Forbidden, MethodNotAllowed, NotFound
from consort_kit.http.signed_links import Links
from consort_kit.services import SERVICES

router = APIRouter(include_in_schema=False)


@router.api_route("/links/{service}/{path:path}", methods=["GET", "HEAD", "PUT", "POST"])
async def follow_link(request: Request, service: str, path: str) -> Response:
    """Forward the request if the link is valid. Show errors as a page if the link is opened in a browser."""
    if not expects_page(request):
        return await _follow(request, service, path)
    try:
        answer = await _follow(request, service, path)
    except ConsortError as error:
        return error_page(error.status, error.body)
    return await error_page_of(answer) if answer.status_code >= 400 else answer


async def _follow(request: Request, service: str, path: str) -> Response:
    """Forward the request if the link is valid. Show an upload page if an upload link is opened in a browser."""
    links: Links = request.app.state.links
    if service not in SERVICES:
        raise NotFound(f"There is no service {service!r}.")
    method, query = links.check(service, f"/{path}", request.query_params.multi_items())
    if request.method == method or (request.method, method) == ("HEAD", "GET"):
        return await forward(request, service, path, query)
    if request.method == "POST":
        hint = "Send the file with PUT: curl -T FILE 'LINK'." if method == "PUT" else f"This link is for {method}."
        raise MethodNotAllowed(f"Links do not take POST. {hint}", suggestions=["PUT"] if method == "PUT" else [])
    if method == "PUT":
        return upload_page(service, query)
    raise Forbidden(f"This link is for {method}, not for {request.method}.")
