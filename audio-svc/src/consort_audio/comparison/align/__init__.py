"""Align the notes of a take with the expected notes.

    onset_groups    join notes that start together into groups
    position_path   find the place in the music of each group of the take, with jumps (Viterbi)
    tempo_curve     fit the times at which the player plays the music: a robust smoother with breaks
    transposition   find the tuning of a take, and whether it is in another octave or key
    note_pairs      pair single notes along the path, near the times of the curve
    alignment       `align`: all of this, and its result

The path is a hidden Markov model whose state is the place in the music, as in score following: the next group may be
the next place, a later one (notes are missing), any other (a jump: the player starts again or skips a part), or no
place at all (extra notes). Times count only relative to the tempo so far, so another tempo, drift and a late start
cost nothing. The curve is fitted to each pass between jumps; a hesitation breaks it.

Cost: linear in (groups of the take) x (groups of the music), at most `position_path.MOST_CELLS`.

Reference: E. Nakamura et al., Performance error detection and post-processing for fast and accurate symbolic music
alignment, ISMIR 2017; M. Muller, Fundamentals of Music Processing, chapter 3.
"""
