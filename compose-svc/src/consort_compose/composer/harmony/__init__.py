"""Harmony: chords found for a melody in four styles, and the chords, numerals and functions of given music."""
