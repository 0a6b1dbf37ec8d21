"""The playback tools and their state. These modules run in the agent's process.

The user starts, stops and controls playbacks. A session is the agent's record of one playback. Several sessions can
play on one port.

- `models`, `routes`: the input and output of the tools, and the tools themselves.
- `service`: starts, controls, stops and reports sessions, and plays the edits of a looped song.
- `fetch_music`: fetches the music (from another service, the data folder or the request) and compiles it.
- `session`: one session: its music, its port, and the last report of the port process.
- `session_registry`: all sessions that are playing, and the last ones that ended.
- `control_commands`: makes the commands to the port process for a `control_playback` call.
- `playbacks_file`: saves the current playbacks in `run/playbacks.json`, so that the next agent can report them if this
  one is killed.

Edits of a looped song: the agent checks for a new version of the song (`If-None-Match`) every 0.3 seconds. Each new
version becomes the next edition, which waits in the port process until the loop starts again. Muted and soloed tracks
are found in it by name. A position is valid for one edition only. If the port process has already started the next
edition, it rejects the command, and the agent computes the position again.

If the other services run in containers, the agent can reach only the gateway. The gateway's routes
`/inside/SERVICE/…` serve music, and nothing else, to callers with the token.
"""
