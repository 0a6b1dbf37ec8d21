"""Composition: music made by theory, every result a score with an id."""
