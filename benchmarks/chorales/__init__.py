"""Bach's four-part chorales in music21's corpus: their notes, the roots of their beats, their tunes and the split."""
