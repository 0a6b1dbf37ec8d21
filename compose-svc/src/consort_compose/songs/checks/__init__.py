"""`check_song`: likely mistakes in a song.

Modules, in reading order:
    instrument_ranges  lowest and highest note of each General MIDI instrument
    problems           the rules: collisions, range, key, chords, empty bars and tracks
    problem_groups     grouping similar problems for the answer
"""
