"""Melodies under hard constraints, in the manner of folk tunes.

models.py, routes.py, service.py   the tool
generate.py    the engine, in order
request.py     what is asked for, in numbers
feasible.py    whether the hard constraints can be met at all, and the proof where not
form.py        which bar repeats which
rhythm.py      note values for every metre and density
register.py    which part of the range a melody lies in
weights.py     how likely each pitch and each move is, note by note
contour.py     contours as curves, and how well a melody follows one
sampler.py     drawing whole melodies from those weights: dynamic programming
motif.py       pitches that later bars take over from earlier ones
steps.py       meeting the share of steps exactly
tables.py      what was learned from folk tunes (`tables.json`, made by `benchmarks/train/melody.py`)
"""
