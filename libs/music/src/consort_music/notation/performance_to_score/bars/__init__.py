"""Bars: metre, downbeats and score time.

metre_choice         beats and bars of a steady pulse, chosen together
metre_features       the evidence for that
rhythm_likelihood    how likely patterns of beats are in a metre
beat_pattern_table   the counted table of these patterns
bar_tracking         downbeats and the length of bars on beats that were tracked or given
metre_reading        metre, pickup, swing and score time
certainty            the confidence of each bar, and alternatives
"""
