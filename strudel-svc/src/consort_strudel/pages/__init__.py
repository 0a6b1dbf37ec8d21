"""The listen page: hear and edit a song in the browser, with the sounds of this machine.

- `links`: the signed links to the page, and those that the page uses
- `listen_page`: the page itself
- `routes`: the page, its program, the song that it follows and saves, and the sounds

The page is our HTML and CSS around a separate program: the AGPL bundle `dist/listen.js` of `strudel-svc/engine`, which
is served unchanged. It is reached by a signed link through the gateway, and every address in it is a signed link for
one thing. It makes no request to any other machine.
"""
