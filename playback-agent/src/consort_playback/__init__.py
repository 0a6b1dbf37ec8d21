"""Plays MIDI on this machine's devices."""
