"""The app factory: routes, error handlers and middleware that every service has.

`/health`, `/version`, `/openapi.json`, `/docs` and `/proof` are open to anyone. Everything else requires the token.
"""

import logging
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any, cast

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from pydantic import BaseModel
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from consort_kit import API_VERSION, errors, logs
from consort_kit.http import docs_page
from consort_kit.http.large_answers import AnswerFolder, LargeAnswers, answer_routes
from consort_kit.http.server_proof import ProofRoute
from consort_kit.http.signed_links import Links
from consort_kit.http.token_check import Check, slow_down_guessing, token_check
from consort_kit.ids import new_id
from consort_kit.settings import Settings
from consort_kit.tools.service_limits import ServiceLimits
from consort_kit.tools.tool_decorator import ERRORS, expected_input
from consort_kit.tools.validation import IdTools, from_validation

OPEN_PATHS = ("/health", "/version", "/openapi.json", "/docs", "/docs/")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,80}")
_LONGEST_LOGGED_PATH = 500
"""The longest path in a log line. Anyone can request longer ones, without a token."""

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]

_log = logging.getLogger("consort")


class Health(BaseModel):
    status: str = "ok"


class Version(BaseModel):
    service: str
    version: str


def create_app(
    name: str,
    description: str,
    routers: list[APIRouter],
    *,
    settings: Settings,
    lifespan: Lifespan | None = None,
    checks: list[Check] | None = None,
    input_errors: tuple[type[Exception], ...] = (),
    id_tools: IdTools | None = None,
    upload_paths: tuple[str, ...] = (),
    more_ports: frozenset[int] = frozenset(),
) -> FastAPI:
    """Build the app of a service.

    `checks` replaces the token check: the gateway has other open paths and also checks the Host header. `input_errors`
    are the exceptions (`InputError`) by which a library reports wrong input; they become InvalidInput with their own
    code. `id_tools` are the tools that an error about a wrong id suggests. A PUT request to a path below one of
    `upload_paths` may have a body of any size: its route reads the body in parts and has its own limit.
    `more_ports` are ports at which clients reach the service, besides the one at which it listens.
    """
    app = FastAPI(
        title=f"Consort {name}",
        description=description,
        version=API_VERSION,
        lifespan=_with_threads(lifespan),
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        separate_input_output_schemas=False,
    )
    app.state.settings = settings
    app.state.limits = ServiceLimits(settings)
    app.state.id_tools = id_tools or IdTools()
    metrics = Metrics()

    @app.get("/health", tags=["frame"], responses=ERRORS)
    async def health(request: Request) -> Health:
        limits: ServiceLimits = request.app.state.limits
        if limits.is_stuck():  # the launcher then restarts this process
            raise errors.ServiceDown("All threads work for calls that have ended. The service is restarted soon.")
        return Health()

    @app.get("/version", tags=["frame"], responses=ERRORS)
    async def version() -> Version:
        return Version(service=name, version=API_VERSION)

    @app.get("/metrics", include_in_schema=False)
    async def prometheus() -> Response:
        return Response(metrics.text(), media_type="text/plain; version=0.0.4")

    for router in routers:
        app.include_router(router)
    answers = AnswerFolder(settings)
    app.include_router(answer_routes(answers))
    docs_page.add_docs(app)
    add_error_handlers(app)
    for kind in input_errors:
        app.add_exception_handler(kind, _input_error_response)
    app.add_middleware(LargeAnswers, service=name, folder=answers, links=Links(settings))
    app.add_middleware(
        RequestMiddleware,
        checks=[token_check(settings.bearer_token, OPEN_PATHS)] if checks is None else checks,
        max_body_bytes=settings.max_body_bytes,
        upload_paths=upload_paths,
        metrics=metrics,
    )
    app.add_middleware(ProofRoute, name=name, token=settings.bearer_token, more_ports=more_ports)
    return app


def _with_threads(lifespan: Lifespan | None) -> Lifespan:
    """Let the app use the threads of its `ServiceLimits` while it runs."""

    @asynccontextmanager
    async def run(app: FastAPI) -> AsyncIterator[None]:
        app.state.limits.use_own_threads()
        async with lifespan(app) if lifespan is not None else nullcontext():
            yield

    return run


def add_error_handlers(app: FastAPI) -> None:
    """Send every error as an `ErrorResponse`."""

    @app.exception_handler(errors.ConsortError)
    async def known(_: Request, error: errors.ConsortError) -> Response:
        return error_response(error)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        expected = expected_input(request.scope["route"], request.app.state.id_tools)
        return error_response(from_validation(list(error.errors()), error.body, expected))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        return error_response(_from_http(request, error), headers=error.headers)


async def _input_error_response(_: Request, error: Exception) -> Response:
    wrong = cast(errors.InputError, error)
    invalid = errors.InvalidInput(
        wrong.message,
        code=wrong.code,
        field=wrong.field,
        suggestions=wrong.suggestions,
        partial_result=wrong.partial_result,
    )
    return error_response(invalid)


def _from_http(request: Request, error: HTTPException) -> errors.ConsortError:
    path = request.url.path
    match error.status_code:
        case 404:
            return errors.NotFound(f"There is nothing at {path}. /docs lists all routes.", suggestions=["/docs"])
        case 405:
            return errors.MethodNotAllowed(
                f"{path} does not take {request.method}. /docs lists the methods of every route."
            )
        case 413:
            return errors.TooLarge(str(error.detail))
        case 400:
            return errors.InvalidInput("The body could not be read as JSON. It may be cut off or nested too deeply.")
        case _:
            return errors.ConsortError(str(error.detail))


def error_response(error: errors.ConsortError, headers: Any = None) -> Response:
    if error.status == errors.Unauthorized.status:
        headers = {"WWW-Authenticate": "Bearer"}
    content = error.response().model_dump_json()
    return Response(content, error.status, headers, media_type="application/json")


class Metrics:
    """Counts and durations of requests, for Prometheus."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "consort_requests_total", "Requests answered", ["method", "route", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "consort_request_seconds", "Time to answer", ["method", "route"], registry=self._registry
        )

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self._registry)


class BodyTooLarge(HTTPException):
    """Raised while the body is read. It is an HTTPException because FastAPI hides other exceptions at this point."""

    def __init__(self, limit: int) -> None:
        super().__init__(413, f"The body is larger than the limit of {limit:,} bytes. Send less.")


class RequestMiddleware:
    """Check every request, limit its body, add the headers of the request id and the version, count it and log it.

    An unexpected exception is logged. The client gets INTERNAL_ERROR, without the text of the exception.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        checks: list[Check],
        max_body_bytes: int,
        upload_paths: tuple[str, ...],
        metrics: Metrics,
    ) -> None:
        self._app = app
        self._checks = checks
        self._max_body_bytes = max_body_bytes
        self._upload_paths = upload_paths
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        method = scope["method"] if scope["method"] in _METHODS else "other"
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else new_id("req")
        context = logs.begin_context(request_id=request_id)
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                out = MutableHeaders(scope=message)
                out["x-request-id"] = request_id
                out["x-api-version"] = API_VERSION
                out["x-content-type-options"] = "nosniff"
            await send(message)

        try:
            found = (check(scope["path"], headers) for check in self._checks)
            error = next((each for each in found if each is not None), None)
            if error is None:
                is_upload = scope["method"] == "PUT" and scope["path"].startswith(self._upload_paths)
                await self._app(scope, receive if is_upload else self._limited(receive), send_with_headers)
            else:
                if isinstance(error, errors.Unauthorized) and "authorization" in headers:
                    await slow_down_guessing(scope)
                await error_response(error)(scope, receive, send_with_headers)
        except ClientDisconnect:
            pass  # the client is gone
        except Exception:
            _log.exception("unexpected failure in %s %s", method, _logged_path(scope))
            if status:
                raise  # part of the response was sent: end the connection
            internal = errors.ConsortError(
                "The service failed. Your input is not the cause.",
                suggestions=[f"Look for request_id {request_id} in `consort logs`."],
                details={"request_id": request_id},
            )
            await error_response(internal)(scope, receive, send_with_headers)
        finally:
            seconds = time.perf_counter() - began
            route = getattr(scope.get("route"), "path", "unmatched")
            self._metrics.count(method, route, status, seconds)
            if route != "/health":
                fields = {**context, "access": True, "status": status, "ms": round(seconds * 1000, 1)}
                _log.info("%s %s", method, _logged_path(scope), extra={"fields": fields})

    def _limited(self, receive: Receive) -> Receive:
        received = 0

        async def receive_limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._max_body_bytes:
                raise BodyTooLarge(self._max_body_bytes)
            return message

        return receive_limited


def _logged_path(scope: Scope) -> str:
    path: str = scope["path"]
    return path if len(path) <= _LONGEST_LOGGED_PATH else f"{path[:_LONGEST_LOGGED_PATH]}…"
