"""transform_phrase: develop a phrase by the classical transformations.

A phrase is a score that begins at 0. Each transformation is one pass over its notes, so the cost is O(notes). The
definitions are those of textbooks, such as A. Schoenberg, "Fundamentals of Musical Composition" (1967).
`test_phrase_transformations.py` compares the results with music21.

In reading order:

    models           input and output of the tool
    routes           the tool
    service          makes the options from the tool's fields, and describes the result
    transformations  the nine transformations: repeat, sequence, inversion and so on
    diatonic         moves pitches by letters inside a key, so that inversions and sequences keep their spelling
"""
