"""MIDI files: the catalogue in Postgres, the bytes among the blobs."""
