"""The agent's side of the ports. These modules run in the agent's process and never call the MIDI system.

- `child_process`: starts a child program and exchanges frames with it.
- `devices`: keeps the list of ports that the child program `list_ports` reports, and finds a port by name.
- `port_process`: one port in use: starts its `play_port` process, checks its heartbeat, ends its notes if it is lost.
- `port_pool`: all port processes: opens, checks and closes them.

If a port process is lost, its notes must stop. A process is dead if its socket closes. It is hung if its heartbeat does
not change for 0.4 s; then the agent kills it. The child program `end_notes` then opens the port again and ends the
notes that `SoundingNotes` still counts. If the port has disappeared too, the notes are ended when it comes back, and
always before anything new is played there. If the agent itself dies, the port process notices that its socket closes,
and ends the notes. The launcher waits 1.5 s for this before it kills the children of a dead service.

Sending to a port that has disappeared raises no error, so the agent uses the list of `list_ports` to notice it. The
ports of a restarted JACK server can be the same, so the server is identified by its socket (JACK 2 only). If
`list_ports` is slow, the ports are not counted as lost, because the machine may only be busy.
"""
