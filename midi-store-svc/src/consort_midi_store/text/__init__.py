"""MIDI files as something to read and write: notes, and MIDI text."""
