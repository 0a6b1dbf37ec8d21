"""Sound as numbers, and the features that several analyses share. Runs in child processes only: it imports numpy.

- `arrays`, `played_notes`: types that the engines share
- `recording`: a file as one channel at 22,050 Hz, decoded once; features are computed at most once
- `levels`: the level over time, measured while the file is decoded
- `curves`: windows and peaks of a curve
- `onset_strength`: how strongly something begins at each moment
- `semitone_spectrum`, `constant_q`, `chroma`: which pitches sound at each moment
- `tuning`, `spectral_peaks`: how far the notes are from A4 = 440 Hz, and whether the sound has tones at all
"""
