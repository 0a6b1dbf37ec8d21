"""The OpenAPI page of each service. The gateway makes the page; the running service sends the specification."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from consort_gateway.routes.forwarding import forward
from consort_kit.errors import NotFound
from consort_kit.http.docs_page import docs_asset, docs_page
from consort_kit.services import SERVICES

router = APIRouter(include_in_schema=False)


@router.get("/services/{service}/openapi.json")
async def specification(request: Request, service: str) -> Response:
    _check_known(service)
    return await forward(request, service, "openapi.json")


@router.get("/services/{service}/docs")
async def page(service: str) -> Response:
    _check_known(service)
    return docs_page(f"Consort {service}", "openapi.json", "assets", try_out=False)


@router.get("/services/{service}/assets/{name}")
async def asset(service: str, name: str) -> Response:
    return docs_asset(name)


def _check_known(service: str) -> None:
    if service not in SERVICES:
        raise NotFound(f"There is no service {service!r}. There are {', '.join(SERVICES)}.", suggestions=list(SERVICES))
