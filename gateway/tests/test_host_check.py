"""Host and Origin: only the names of this machine are accepted."""

from pathlib import Path

import pytest
from pydantic import ValidationError
from starlette.datastructures import Headers

from consort_gateway.host_check import host_and_origin_check
from consort_gateway.settings import GatewaySettings


def error_code(host: str | None, origin: str | None = None, **options: str) -> str | None:
    check = host_and_origin_check(GatewaySettings(data=Path("/nonexistent"), token="t", **options))  # type: ignore[arg-type]
    given = {"host": host, "origin": origin}
    error = check("/mcp", Headers({name: value for name, value in given.items() if value is not None}))
    return error.body.code if error else None


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8700", "localhost", "LOCALHOST:1", "LocalHost", "[::1]", "[::1]:8700"]
)
def test_hosts_of_this_machine(host: str) -> None:
    assert error_code(host) is None


@pytest.mark.parametrize(
    "host",
    [
        None,
        "",
        " ",
        ":8700",
        "evil.example",
        "evil.example:8700",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "localhost.",
        "127.0.0.1@evil.example",
        "evil.example@127.0.0.1",
        "localhost:8700@evil.example",
        "evil.example/127.0.0.1",
        "evil.example#localhost",
        "evil.example?localhost",
        "127.0.0.2",
        "127.1",
        "0.0.0.0",
        "2130706433",
        "[::]",
        "[::1",
        "::1",
        "[::ffff:127.0.0.1]",
        "localhost,evil.example",
        "localhost evil.example",
        "null",
    ],
)
def test_other_hosts(host: str | None) -> None:
    assert error_code(host) == "WRONG_HOST"
    assert error_code(host, "https://evil.example") == "WRONG_HOST"


@pytest.mark.parametrize(
    "origin",
    ["http://127.0.0.1:8700", "http://localhost:6274", "https://localhost", "HTTP://LOCALHOST:1", "http://[::1]:8700"],
)
def test_origins_of_this_machine(origin: str) -> None:
    assert error_code("localhost", origin) is None


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "null",
        "file://",
        "https://evil.example",
        "http://evil.example:8700",
        "http://localhost.evil.example",
        "http://127.0.0.1:8700@evil.example",
        "http://localhost@evil.example",
        "http://evil.example#@localhost",
        "http://evil.example\\@localhost/",
        "localhost",
        "localhost:8700",
        "http:localhost",
        "http:///localhost",
        "http://[::1",
        "chrome-extension://abcdefghijklmnop",
        "https://evil.example, http://localhost",
    ],
)
def test_other_origins(origin: str) -> None:
    assert error_code("localhost", origin) == "FOREIGN_ORIGIN"


def test_the_public_address_and_more_host_names() -> None:
    public = "https://Studio.Example:8443/consort"
    assert error_code("studio.example", public_url=public) is None
    assert error_code("studio.example:8443", "https://studio.example", public_url=public) is None
    assert error_code("other.example", public_url=public) == "WRONG_HOST"
    assert error_code("Box.Local:8700", "http://box.local", allowed_hosts=" box.LOCAL, nas ,") is None
    assert error_code("nas", allowed_hosts="box.local,nas") is None
    assert error_code("box", allowed_hosts="box.local,nas") == "WRONG_HOST"


@pytest.mark.parametrize("public", ["studio.example", "studio.example:8700", "not a url"])
def test_a_public_address_needs_a_scheme(public: str) -> None:
    with pytest.raises(ValidationError):
        error_code("localhost", public_url=public)
