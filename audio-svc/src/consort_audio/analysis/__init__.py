"""The tools that listen to audio files.

How a call is answered:
- `listening_input`, `dependencies`: what the routes of the tools share
- `service`: answer a call by a job, each request once
- `registry`, `listening_task`, `listening_program`: which function answers which tool, in a worker
- `calibration`, `confidence_limits`, `known_bars`: what the answers share: confidences, and the bar and beat of a time

What is heard, a folder each: `tempo`, `rhythm`, `pitch`, `key`, `chords`, `timbre`, `phrases`, `dynamics`,
`articulation`; `summary` for several at once, and `sound_measures` for comparing renders.
"""
