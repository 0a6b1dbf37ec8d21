"""Turn chord symbols into notes for piano, guitar, four voices and string quartet.

In reading order:

    engine/          the algorithms that voice a chord or a progression; its docstring explains them
    voicing_score    write voiced chords as a score
    models           input and output of `realize_chord` and `realize_progression`
    service          run the engine and fill the answer
    routes           the two tools
"""
