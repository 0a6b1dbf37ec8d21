"""Every MIDI file of the studio: kept, described, handed out."""
