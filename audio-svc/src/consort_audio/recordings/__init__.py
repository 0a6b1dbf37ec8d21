"""Recordings that a user makes on a page in the browser.

- `models`: the inputs and results of the tools and of the page's routes
- `store`: all SQL for the `recordings` table
- `references`: the music or audio that a player may hear first
- `start_timing`: the tempo and metre at which music begins
- `service`: ask for a recording, look whether it is there, and serve its page
- `routes`: the tools, and what the page calls

The link to the page contains a token, of which only the hash is stored. With the token the page can show itself, play
the reference and upload one recording. After that the token is used up: the page says that the recording has been made.
"""
