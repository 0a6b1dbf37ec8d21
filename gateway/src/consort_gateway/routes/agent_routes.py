"""Routes for a playback agent outside the containers, which can reach the services only through the gateway."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from consort_gateway.routes.forwarding import forward
from consort_kit.errors import NotFound
from consort_kit.http.id_routes import is_route
from consort_kit.services import SERVICES
from consort_music.music_ids import MUSIC_ROUTES

router = APIRouter(include_in_schema=False)


@router.get("/inside/{service}/{path:path}")
async def fetch_inside(request: Request, service: str, path: str) -> Response:
    """Forward a request for music or for the health of a service. Raise NotFound for any other path.

    The token is required.
    """
    if service not in SERVICES or not (path == "health" or is_route(MUSIC_ROUTES, service, f"/{path}")):
        raise NotFound(
            "There is no music at this path. Example: /inside/midi-store/files/ID.",
            suggestions=["/inside/midi-store/files/ID"],
        )
    return await forward(request, service, path)
