"""HTML pages for the browser: the player and the recorder.

- `frame`: assembles a page from the files in `static/`
- `player`: the data of the player page
- `recorder`: the data of the recording page
- `routes`: the addresses of the pages

A page is reached by a signed link through the gateway. It contains its style, its scripts and the signed links that
it needs; nothing else of the studio is reachable from it. Errors are raised as everywhere; the gateway shows them to
a browser as a page.
"""
