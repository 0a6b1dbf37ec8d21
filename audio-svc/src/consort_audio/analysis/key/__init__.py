"""Key: the tonic and the mode of a recording or of notes.

In reading order:
- `profiles`: how often each degree sounds in major and minor, and which chords
- `find`: `find_key(recording)`, `key_of_notes(notes)`
- `models`, `answer`, `routes`: the tool detect_key
"""
