"""Slots: the times at which chords may begin, and what the melody requires of the chord in each.

bar_halves       bars whose halves spell different chords
harmony_slots    the times at which chords may begin
melody_demands   what the melody requires of the chord in a slot; suspensions and appoggiaturas
repeated_bars    slots with the same melody, which should get the same chords
"""
