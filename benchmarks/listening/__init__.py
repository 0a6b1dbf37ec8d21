"""The benchmark `audio`: how well and how fast the listening tools hear, beside plain librosa and basic-pitch.

- `our_tools`: call the tools' own answers, as a worker does.
- `our_comparison`: call compare_to_reference with takes and references of the truth set.
- `baselines`, `baseline_program`: librosa, basic-pitch and parangonar, in a separate environment.
- `bs1770`: the loudness by FFmpeg.
- `scores`: compare one answer with the truth, mostly with mir_eval.
- `measures`: what is measured for each task, with its floor and aim.
- `fault_scores`, `chord_takes`, `practice`: the faults of takes of one voice, and of takes with chords.
- `calibration`: whether a confidence is the share of right answers.
- `speed`, `speed_program`: CPU time and memory.
- `table`: the rows of the table, and what they require.
"""
