"""The agent's side of the MIDI system: which ports there are, and the processes that play on them."""
