"""Notes and intonation of one voice: the engine of detect_pitch.

- `track`: pitch, voicing and level over time, and the tuning
- `notes`: the notes of one voice, and whether there are any
- `intonation`: scores and problems of intonation
- `polyphony`: whether several notes sound at once
- `answer`: the answer of detect_pitch
"""
