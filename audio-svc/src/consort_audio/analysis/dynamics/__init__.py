"""Dynamics: how loud a recording is, and how that changes.

In reading order:
- `measure`: loudness over time, the loudest moments, crescendos and diminuendos, clipping
- `models`, `answer`, `routes`: the tool analyze_dynamics
"""
