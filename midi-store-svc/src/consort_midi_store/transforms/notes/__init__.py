"""Select tracks, repair their notes, and move notes.

- `selection`: find the tracks that an operation changes
- `repair`: pair note-ons with note-offs, and repair broken notes
- `note_positions`: move notes to new positions, and rebuild the track
"""
