"""Pages for a browser: no text of a user becomes a script, and only scripts with the page's nonce run."""

import json
import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from consort_kit.http.web_page import DATA_ID, script_json, web_page

HOSTILE = "</script><script>alert(1)</script><!-- & \u2028"


class ScriptReader(HTMLParser):
    """Collects the attributes and contents of all script elements, as a browser would split them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self._attributes: dict[str, str | None] | None = None
        self._text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script":
            self._attributes, self._text = dict(attrs), ""

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self._attributes is not None:
            self.scripts.append((self._attributes, self._text))
            self._attributes = None


def test_data_cannot_end_its_script_element() -> None:
    page = bytes(web_page("Title", "<main></main>", data={"name": HOSTILE}, script="start()").body).decode()
    (data_attributes, data), (script_attributes, script) = ScriptReader(page).scripts
    assert data_attributes == {"type": "application/json", "id": DATA_ID}
    assert json.loads(data) == {"name": HOSTILE}
    assert script_attributes["nonce"] and script.strip() == "start()"


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.none()))
def test_any_data_is_read_back(data: dict[str, str | int | None]) -> None:
    text = script_json(data)
    assert json.loads(text) == data
    assert not set(text) & set("<>&")


def test_a_title_is_escaped() -> None:
    page = bytes(web_page(HOSTILE, "").body).decode()
    assert "<title>&lt;/script&gt;" in page and ScriptReader(page).scripts == []


def test_the_policy_allows_only_this_page_and_what_is_added() -> None:
    response = web_page("Title", "", script="start()", policy={"worker-src": "blob:", "script-src": "blob:"})
    policy = dict(each.split(" ", 1) for each in response.headers["content-security-policy"].split("; "))
    nonce = re.findall(r'<script type="module" nonce="([^"]+)"', bytes(response.body).decode())[0]
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == f"'nonce-{nonce}' blob:"
    assert policy["style-src"] == f"'nonce-{nonce}'"
    assert policy["worker-src"] == "blob:"
    assert response.headers["referrer-policy"] == "no-referrer"


def test_each_page_has_its_own_nonce() -> None:
    policies = {web_page("Title", "").headers["content-security-policy"] for _ in range(20)}
    assert len(policies) == 20
