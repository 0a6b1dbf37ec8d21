"""The multi-track song editor: sections, tracks and notes in exact beats, with undo, and a MIDI file as its result."""
