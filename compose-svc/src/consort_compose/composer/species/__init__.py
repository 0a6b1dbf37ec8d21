"""Mark an exercise in species counterpoint: two voices in, every fault with its place out.

The rules are those that `composer.counterpoint` writes by, so what it writes is without fault. In reading order:

    exercise    which voice is the cantus firmus, on which side the other one is, its mode, its units of time
    faults      what a fault is, and names for notes and intervals
    melody      the line alone: intervals, leaps and their recovery, repeated notes, outlined tritones, range
    verticals   each moment: dissonances and their figures, suspensions, crossing, unisons, distance
    motion      from one moment to the next: parallels, direct intervals, overlap, runs of thirds
    frame       rhythm of the species, tones of the mode, beginning, cadence and end
    mark        all of them, in the order of time
"""
