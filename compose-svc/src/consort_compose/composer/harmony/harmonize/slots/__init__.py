"""Slots: the times at which chords may begin, and what the melody requires of the chord in each.

foreign_notes    what notes that are foreign to a chord cost
bar_halves       bars whose halves spell or need different chords
similar_bars     bars in which most of the melody is the same
harmony_slots    the times at which chords may begin
melody_demands   what the melody requires of the chord in a slot; suspensions and appoggiaturas
pickups          chords of phrases that begin with their pickups
repeated_bars    slots with the same or a varied melody, which should get the same chords
"""
