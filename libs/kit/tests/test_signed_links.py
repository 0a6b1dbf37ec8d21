"""Signed links: any change makes them invalid."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consort_kit.errors import Forbidden
from consort_kit.http.signed_links import Link, Links
from consort_kit.settings import Settings

HERE = Path("/nonexistent")
LINKS = Links(Settings(data=HERE, token="secret-token-of-tests", public_url="https://studio.example/"))

text = st.text(max_size=30)
odd_text = text | st.text("&=+%#?/;é♪ \n\"'<>\\", max_size=12)
paths = odd_text.map(lambda each: f"/files/{each}")
names = odd_text.filter(lambda each: each not in ("expires", "method", "signature"))
queries = st.dictionaries(names, odd_text, max_size=4)
methods = st.sampled_from(["GET", "PUT"])
Parts = tuple[str, str, list[tuple[str, str]]]


def parts_of(link: Link) -> Parts:
    """Return service, path and query as the gateway's web framework reads them from the address."""
    address = urlsplit(link.url)
    _, start, service, *path = address.path.split("/")
    assert (address.scheme, address.netloc, start) == ("https", "studio.example", "links")
    return service, unquote("/" + "/".join(path)), parse_qsl(address.query, keep_blank_values=True)


def assert_forbidden(service: str, path: str, query: list[tuple[str, str]], code: str = "FORBIDDEN") -> None:
    with pytest.raises(Forbidden) as caught:
        LINKS.check(service, path, query)
    assert caught.value.body.code == code


@given(paths, queries, methods)
def test_a_valid_link_returns_method_and_query(path: str, query: dict[str, str], method: str) -> None:
    link = LINKS.make("midi-store", path, query, method=method)
    assert link.url.isascii() and " " not in link.url
    service, linked_path, linked_query = parts_of(link)
    assert (service, linked_path) == ("midi-store", path)
    assert LINKS.check(service, linked_path, linked_query) == (method, query)


@given(paths, queries, methods, st.data())
def test_any_change_makes_a_link_invalid(path: str, query: dict[str, str], method: str, data: st.DataObject) -> None:
    service, path, fields = parts_of(LINKS.make("midi-store", path, query, method=method))
    assert_forbidden("audio", path, fields)
    other_path = data.draw(paths | st.just(path + "/") | st.just(path + "\n") | st.just(path.upper()))
    assume(other_path != path)
    assert_forbidden(service, other_path, fields)

    place = data.draw(st.integers(0, len(fields) - 1))
    name, value = fields[place]
    other = data.draw(odd_text.filter(lambda each: each != value))
    assert_forbidden(service, path, [*fields[:place], (name, other), *fields[place + 1 :]])
    assert_forbidden(service, path, [*fields[:place], (name + "x", value), *fields[place + 1 :]])
    assert_forbidden(service, path, fields[:place] + fields[place + 1 :])
    assert_forbidden(service, path, [*fields, (name, value)])
    assert_forbidden(service, path, [(name, other), *fields])
    assert_forbidden(service, path, [*fields, (data.draw(names), data.draw(odd_text))])


@given(paths, queries)
def test_a_download_link_does_not_allow_uploads(path: str, query: dict[str, str]) -> None:
    service, path, fields = parts_of(LINKS.make("midi-store", path, query))
    assert_forbidden(service, path, [*fields, ("method", "PUT")])
    service, path, fields = parts_of(LINKS.make("midi-store", path, query, method="PUT"))
    assert_forbidden(service, path, [each for each in fields if each[0] != "method"])
    assert_forbidden(service, path, [each if each[0] != "method" else ("method", "GET") for each in fields])


def test_an_expired_link_cannot_be_prolonged() -> None:
    service, path, fields = parts_of(LINKS.make("midi-store", "/files/a", {"name": "x"}, lifetime_s=-1))
    assert_forbidden(service, path, fields, "LINK_EXPIRED")
    later = [each if each[0] != "expires" else ("expires", str(int(each[1]) + 3600)) for each in fields]
    assert_forbidden(service, path, later)


def test_links_expire_after_an_hour_by_default() -> None:
    left = LINKS.make("midi-store", "/files/a").expires_at - datetime.now(UTC)
    assert timedelta(minutes=59) < left <= timedelta(hours=1)


@pytest.mark.parametrize("query", [[], [("signature", "")], [("expires", "9999999999")], [("expires", "x")]])
def test_a_link_without_a_signature_is_invalid(query: list[tuple[str, str]]) -> None:
    assert_forbidden("midi-store", "/files/a", query)


def test_a_link_signed_with_another_token_is_invalid() -> None:
    link = Links(Settings(data=HERE, token="other", public_url="https://studio.example")).make("midi-store", "/files/a")
    assert_forbidden(*parts_of(link))
    assert "secret-token-of-tests" not in LINKS.make("midi-store", "/files/a").url
