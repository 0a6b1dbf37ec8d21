"""The picture that preview_events names is served by the same service."""

from pathlib import Path

from fastapi.testclient import TestClient

from consort_kit.http.app import create_app
from consort_kit.http.service_client import ServiceClient
from consort_kit.http.signed_links import Links
from consort_kit.settings import Settings
from consort_kit.tools.answer_headers import PICTURE_HEADER
from consort_strudel.engine import Engine
from consort_strudel.events.routes import router
from consort_strudel.events.script_to_play import ScriptToPlay
from consort_strudel.events.service import EventService
from consort_strudel.validation import Validator
from tests.support.strudel_rendering import build_engine

TOKEN = {"Authorization": "Bearer t"}


async def no_project(name: str, version: int | None) -> ScriptToPlay:
    raise AssertionError(name)


def test_picture_of_a_preview_can_be_fetched(tmp_path: Path) -> None:
    build_engine()
    settings = Settings(data=tmp_path, token="t")
    app = create_app("strudel", "For tests.", [router], settings=settings)
    engine = Engine(time_limit_s=60)
    app.state.events = EventService(engine, Validator(engine), no_project, ServiceClient(settings), Links(settings))
    with TestClient(app, headers=TOKEN) as client:
        call = {"script_content": '$: note("c4 e4")', "cycles": 1, "picture": True, "width": 400, "height": 240}
        answer = client.post("/tools/preview_events", json=call)
        assert answer.json()["voices"][0]["rows"] == ["0: 0 c4 1/2; 1/2 e4 1/2"]
        picture = client.get(answer.headers[PICTURE_HEADER])
        assert picture.headers["content-type"] == "image/png"
        assert picture.content.startswith(b"\x89PNG")
        assert client.get("/events/picture.png?script=cut").status_code == 422
        assert client.portal is not None
        client.portal.call(engine.close)
