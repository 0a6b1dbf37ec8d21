"""Recordings, their analysis and comparison, and synthesis."""
