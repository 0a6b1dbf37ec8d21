"""The benchmark `audio`: how well and how fast the listening tools hear, beside plain librosa and basic-pitch.

- `our_tools`: call the tools' own answers, as a worker does.
- `baselines`, `baseline_program`: librosa, basic-pitch and parangonar, in an environment of their own.
- `scores`: compare one answer with the truth, mostly with mir_eval.
- `tasks`: what is measured for each task, with its floor and aim.
- `fault_scores`: the faults of practice takes.
- `calibration`: whether a confidence is the share of right answers.
- `speed`: CPU time and memory.
"""
