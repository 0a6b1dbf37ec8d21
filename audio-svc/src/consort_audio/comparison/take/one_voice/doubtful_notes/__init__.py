"""Notes that the pitch tracker heard wrongly.

ghost_notes   remove what nobody played: octave errors of the pitch tracker, transients, noise
second_look   look again for expected notes that were not found
split_notes   join what was heard as two notes but played as one
"""
