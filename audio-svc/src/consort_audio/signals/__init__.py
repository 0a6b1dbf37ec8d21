"""Sound as numbers, and the features that several analyses share. Runs in child processes only: it imports numpy.

- `recording`: a file as one channel at 22,050 Hz, decoded once; features are computed at most once
"""
