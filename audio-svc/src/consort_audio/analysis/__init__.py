"""The tools that listen to audio files.

How a call is answered:
- `listening_input`, `dependencies`: what the routes of the tools share
- `service`: answer a call by a job, each request once
- `registry`, `listening_task`, `listening_program`: which function answers which tool, in a worker

What is heard, a folder each: `tempo`, `rhythm`, `pitch`, `key`, `chords`, `timbre`, `phrases`, `dynamics`,
`articulation`, and `summary` for several at once.
"""
