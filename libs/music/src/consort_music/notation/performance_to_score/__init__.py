"""Read a performance (a MIDI file that was played by hand) as a score.

    reading          the whole way: `read_performance`
    options          corrections that a caller may give
    notes            moments, ornaments, places on the grid, hands, note values, voices
    beats            the beats of the file, or beats that are tracked
    bars             metre, downbeats, score time, and the confidence of bars
    key_reading      keys, their changes, and spelling
    score_layout     staves, voices and marks, put together

Beats come from the file if its notes agree with its tempo map, from the caller, or from the notes: if the tempo is
steady, a pulse is followed, and beats and bars are chosen on it together; otherwise beats are tracked first, and bars
found on them. Every step takes time linear in the number of notes; all together about 0.5 s of CPU for 1,000 notes if
beats are tracked. The constants and weights were fitted to the `tune` part of `consort bench notation`, which measures
the whole.
"""

from consort_music.notation.performance_to_score.options import ReadingOptions
from consort_music.notation.performance_to_score.reading import PerformanceReading, read_performance

__all__ = ["PerformanceReading", "ReadingOptions", "read_performance"]
