"""The parts of the piano model (transkun) that run in numpy; `neural/piano_notes` puts them together.

In reading order:
- features: the mel spectra of a segment of 16 s
- intervals: scores of all intervals of a key, and the best set of intervals (semi-Markov CRF, Viterbi)
- attributes: velocity and exact times of an interval
- joining: one list of notes from overlapping segments
"""
