"""Mark an exercise in species counterpoint: find every fault of one voice against a cantus firmus.

`analyze_harmony` uses it if it is called with `species`. The rules are those of Fux ("Gradus ad Parnassum", 1725).
`composer.counterpoint` writes voices by the same rules, so a voice that it wrote has no faults. The rules are
implemented here a second time on purpose: the marker checks any music and can look at all notes at once, and a mistake
of the generator must not hide a fault. Only tones, intervals and timed notes are shared (`counterpoint.spelled_tones`).
Marking costs at most O(notes * cantus notes).

In reading order:

    exercise                   an exercise: cantus, marked voice, key and units of time
    read_exercise              finds the cantus, the units and the key in a score of two parts
    exercise_fault             a fault, and names of notes and intervals for its message
    melodic_faults             faults of the marked voice alone, such as leaps and repeated notes
    vertical_faults            faults of intervals between the voices, such as dissonances and crossings
    motion_faults              faults of motion between the voices, such as parallels
    rhythm_and_cadence_faults  faults of rhythm, mode, beginning, cadence and end
    mark_exercise              returns all faults in order of time
"""
