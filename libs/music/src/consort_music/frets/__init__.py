"""Fretted instruments: where to play each note, and chord shapes.

tunings          instruments and tunings by name or as notes
fretboards       the strings, the pitch of each fret, distances in millimetres
hand             fingers, span and speed of a left hand
grips            ways to play notes that start together
path             the cheapest path of the hand through a piece (dynamic programming with a beam)
fret_positions   the one call for tablature: notes in, strings and frets out
    chord_shapes     the playable shapes of given notes, or of a chord symbol
    chord_diagrams   a shape as a diagram: frets, fingers, barre, first fret
"""
