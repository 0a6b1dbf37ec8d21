"""compose_export_midi: a score as a MIDI file, played by a machine or a little like a person."""
