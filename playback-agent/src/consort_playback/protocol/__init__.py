"""The messages between the agent and its child programs, and the shared memory in which sounding notes are counted.

Both sides import these modules, so they import only small parts of the standard library.

- `commands`: every command and every event, as a class with typed fields.
- `message`: the base class of commands and events. It behaves like a dataclass.
- `codec`: converts commands and events to socket frames and back.
- `socket_frames`: reads and writes frames (a JSON head and raw bytes) on a socket.
- `event_arrays`: the layout of compiled music in the raw bytes of a frame.
- `midi_messages`: MIDI messages that both sides build or classify.
- `sounding_notes`: the notes that sound on a port, counted in a memory-mapped file, and the heartbeat.
"""
