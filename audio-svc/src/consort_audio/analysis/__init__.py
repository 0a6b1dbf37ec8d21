"""Analyses of audio files. None exists yet; `baseline` queues those that every upload gets."""
