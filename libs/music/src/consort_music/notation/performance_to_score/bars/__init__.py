"""Bars: metre, downbeats and score time.

bar_tracking     downbeats and the length of bars
metre_reading    metre, pickup, swing and score time
certainty        the confidence of each bar, and alternatives
"""
