"""The listen page: hear and edit a song in the browser, with the sounds of this machine.

- `links`: the signed links to the page and of the page
- `listen_page`: the page itself
- `routes`: the page, its program, the song that it follows and saves, and the sounds

The page is HTML and CSS of ours around a program of its own, the AGPL bundle `dist/listen.js` of `strudel-svc/engine`,
which is served as it is. It is reached by a signed link through the gateway, and every address in it is a signed link
for one thing. It makes no request to any other machine.
"""
