"""Write the chords as music.

left_hand        the chords for the left hand of a keyboard, below the melody
textures         four voices, keyboard, lead sheet
"""
