"""The song document: everything of a song but its storage. Immutable values; no database, no web framework.

Beats are quarter notes from 0, as exact fractions. Measures count from 1.

Modules, in reading order:
    song        Song, Track, Section, SongNote and the limits of a song
    names       checking the names that users give, and finding tracks and sections by name
    timeline    where measures begin, and which section, metre and key hold at a beat
    tempos      the tempo at each beat
    beat_input  reading beats that a request gives
    chord_plan  the planned chords: reading them from a request, and finding the one at a beat
"""
