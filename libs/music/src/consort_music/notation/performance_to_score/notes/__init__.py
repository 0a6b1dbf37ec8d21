"""Notes: moments, places on the grid, hands, values and voices.

played_notes     notes in seconds, and the moments at which several start together
ornaments        grace notes and arpeggios
beat_patterns    how often notes start at which points of a beat (a counted table)
onset_grid       each beat is divided by 2, 3, 5 or 7, and moments are put on its grid
hands            which hand plays each note of a keyboard
note_length_weights  the fitted weights of `note_lengths`
note_lengths     note values: a conditional logit model
voices           voices of a staff
"""
