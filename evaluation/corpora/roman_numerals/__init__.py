"""Roman-numeral analyses by musicians, and their scores, from music21's corpus.

    analyses   read them, aligned with the score and cached: the chord and the local key from each moment on
    textures   break the chords of a chorale into figures, such as an Alberti bass, with the same analysis
    split.json which pieces are for tuning and which for testing; drawn once, before anything was tuned

The analyses are by Andrew Jones and Dmitri Tymoczko (chorales) and by Dmitri Tymoczko (madrigals). The prelude in C of
the Well-Tempered Clavier has one chord in each bar, which is listed here.
"""
