"""From a MIDI file to what a player sends, and between ticks, milliseconds and bars. Knows no web and no ports."""
