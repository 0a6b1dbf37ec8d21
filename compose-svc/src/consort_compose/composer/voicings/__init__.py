"""Chords as notes: voicings for piano, guitar, choir and strings, one at a time or a whole progression.

Pure functions over `ChordSymbol`s and MIDI numbers. `satb.py` sets four voices, `styles.py` the keyboard's close, open,
drop and quartal positions, `guitar.py` finds frets, `leading.py` the way from one chord to the next.
"""
