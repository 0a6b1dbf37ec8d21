"""Tempo: beats, bars, their tempo and its changes.

- `beat_activation`: how probable a beat is at each moment
- `tempo_prior`: how probable each tempo is before beats are tracked
- `beat_path`: the most probable sequence of beats (Viterbi)
- `reading_features`: what a reading of the beat is judged by
- `readings`: the ways in which the beat can be heard, and which is the most probable
- `bars`: downbeats and the length of a bar
- `tempo_segments`: parts of constant tempo, steadiness
- `confidence`: calibrated probabilities
- `track`: `track_beats`, which joins these
- `models`, `answer`, `routes`: the tool analyze_tempo
"""
