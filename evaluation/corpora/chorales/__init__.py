"""Bach's four-part chorales in music21's corpus.

- `scores`: the notes of each chorale, read with music21 and cached.
- `sopranos`: the soprano as the harmony engine's input, and its key.
- `roots`: the root of each beat.
- `split`: which chorales share a tune, and the split into training and test tunes.
"""
