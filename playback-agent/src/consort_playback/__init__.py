"""The playback agent: plays MIDI on the devices of this machine.

There are two kinds of processes:

- The agent is the service with the playback tools. It runs `app` and the packages `playbacks`, `music` and `ports`.
- Its child processes call the MIDI system, one for each port in use and one that lists the ports. They run
  `child_programs`.

Both kinds import `protocol`, which defines the commands and events that they exchange.

A file is played like this: `playbacks.fetch_music` gets its bytes, `music.compiled_music` compiles them to arrays of
messages with exact times in nanoseconds, `ports.port_process` sends these to the child process of the port, and
`child_programs.play_port` sends each message to the MIDI system when it is due.

Errors: `music` raises `MusicError`; `playbacks` and `ports` raise the errors of `consort_kit`; a child program that
cannot open its port reports the text of an `OutputError`.

Tests use real ports: a private JACK server without hardware, and a receiver in another process. Tests of exact times
(in nanoseconds) run the scheduler with a simulated clock. `consort bench playback` measures lateness and drift at the
receiver.
"""
