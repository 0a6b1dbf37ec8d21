"""The MIDI store: stores, describes, transforms and draws the MIDI files of the studio.

- `app`: creates the service from its parts
- `settings`: its settings
- `files`: store_midi, get_midi, list_midi, export_midi, delete_midi
- `midi_text`: read_midi_notes and validate_midi
- `transforms`: transform_midi
- `pictures`: render_piano_roll
- `migrations`: the database tables
"""
