"""Read a performance (a MIDI file that was played by hand) as a score.

    reading          the whole way: `read_performance`
    options          corrections that a caller may give
    played_notes     notes in seconds, and the moments at which several start together
    ornaments        grace notes and arpeggios
    file_beats       whether the beats of the file are those of the music
    salience         how much each moment sounds like a beat
    beat_tracking    beats from the notes alone: a semi-Markov Viterbi search
    beat_map         seconds and beats
    onset_grid       each beat is divided by 2, 3, 5 or 7, and moments are put on its grid
    bar_tracking     downbeats and the length of bars
    metre_reading    metre, pickup, swing and score time
    hands            which hand plays each note of a keyboard
    note_lengths     note values: a conditional logit model
    voices           voices of a staff
    key_reading      keys, their changes, and spelling
    certainty        the confidence of each bar, and alternatives
    score_layout     staves, voices and marks, put together

Beats come from the file if its notes agree with its tempo map, from the caller, or from the notes. Every step takes
time linear in the number of notes; all together about 0.5 s of CPU for 1,000 notes if beats are tracked. The
constants and weights were fitted to the `tune` part of `consort bench notation`, which measures the whole.
"""

from consort_music.notation.performance_to_score.options import ReadingOptions
from consort_music.notation.performance_to_score.reading import PerformanceReading, read_performance

__all__ = ["PerformanceReading", "ReadingOptions", "read_performance"]
