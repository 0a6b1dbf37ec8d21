"""Key: the tonic and the mode of a recording or of notes.

In reading order:
- `profiles`: how often each degree sounds in major and minor, and which chords
- `evidence`: what speaks for each key in a recording
- `find`: `find_key(recording)`, `key_of_notes(notes)`
- `changes`: changes of key
- `models`, `answer`, `routes`: the tool detect_key
"""
