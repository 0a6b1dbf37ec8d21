"""Parts of `consort bench strudel`.

- `round_trip`: music becomes code, and through the engine the same music again.
- `midi_export`: MIDI files of scripts have exactly the notes that the engine plays.
"""
