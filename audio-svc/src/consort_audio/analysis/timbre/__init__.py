"""Timbre: the tone of a recording.

In reading order:
- `measure`: brightness, warmth, attack and noise
- `models`, `answer`, `routes`: the tool analyze_timbre
"""
