"""What an ear hears of a rendered loop in nine figures, for compare_strudel.

In reading order:
- `stereo`: the samples of two channels; the balance of low, middle and high frequencies; the width
- `rendered_onsets`: onsets, as exactly as clean sound allows
- `swing`: how late the notes between the beats come, against a known beat
- `measure`: all nine; loudness, brightness and onsets come from `dynamics`, `timbre` and `rhythm`
- `answer`, `models`, `routes`: the route `/measures`, which strudel-svc calls; it is no tool
"""
