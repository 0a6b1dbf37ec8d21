"""Numbered SQL files, applied in order at start-up."""
