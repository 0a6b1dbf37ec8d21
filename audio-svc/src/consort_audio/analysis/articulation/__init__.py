"""Legato, staccato and accents of one voice: the engine of detect_articulation.

- `held_notes`: how long each note is held until the next one
- `accents`: notes that are louder than those around them
- `answer`: the answer of detect_articulation
"""
