"""Phrases: where musical sentences begin and end.

In reading order:
- `segment`: boundaries from rests, long notes and the length of phrases
- `models`, `answer`, `routes`: the tool segment_phrases
"""
