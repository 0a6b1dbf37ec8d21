"""Servers in separate processes.

- `servers`: find a free port, start a service or Postgres, wait until it is healthy, stop it.
- `jack`: a JACK server without hardware, and a receiver that records MIDI messages.
- `playback_agent`: the playback agent, and an HTTP client for it.
"""
