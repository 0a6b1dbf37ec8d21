"""Change the long tracks of large files with numpy. Only `note_cache` imports these modules, only for large files.

A track is stored as columns: one numpy array each for ticks, statuses and data bytes, with one row per event.

- `event_columns`: the events of a track as columns; changes them, and writes the bytes of the track
- `note_columns`: the notes of a track as columns; pairs, repairs and moves them
"""
