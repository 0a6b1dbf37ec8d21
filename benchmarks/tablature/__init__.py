"""The tablature part of `consort bench notation`.

- `fret_paths`: random pieces against an independent checker, agreement with guitarists, and the time.
"""
