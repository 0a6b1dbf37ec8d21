"""The signed links to the listen page, and those that the page uses. They work for one day."""

from urllib.parse import urlsplit, urlunsplit

from consort_kit.http.signed_links import Links

SERVICE = "strudel"
LIFETIME_S = 24 * 3600


class ListenPageLinks:
    def __init__(self, links: Links) -> None:
        self._links = links

    def listen_url(self, project_id: str) -> str:
        """Return the link to the listen page of a project."""
        return self._links.make(SERVICE, f"/listen/{project_id}", lifetime_s=LIFETIME_S).url

    def path(self, path: str, method: str = "GET") -> str:
        """Return the path and query of a link, so that a page works at whichever address the studio was opened."""
        parts = urlsplit(self._links.make(SERVICE, path, method=method, lifetime_s=LIFETIME_S).url)
        return urlunsplit(("", "", parts.path, parts.query, ""))
