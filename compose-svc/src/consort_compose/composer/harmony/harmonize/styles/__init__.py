"""Four styles and the blues: which chords, progressions and cadences they have, and what counts how much.

style_chords     the chords of each style, in major, minor, the modes and the blues
style_rules      the common progressions, basses and cadences of each style
jazz_rules       which chord prepares a dominant, and which tensions a held note may be
style_weights    the weights of all criteria, by style
"""
