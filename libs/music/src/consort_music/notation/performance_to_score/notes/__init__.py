"""Notes: moments, places on the grid, hands, values and voices.

played_notes     notes in seconds, and the moments at which several start together
ornaments        grace notes and arpeggios
onset_grid       each beat is divided by 2, 3, 5 or 7, and moments are put on its grid; how often notes start at which
                 points of a beat is in `beat_patterns`
hands            which hand plays each note of a keyboard
note_lengths     note values: a conditional logit model, whose weights are in `note_length_weights`
voices           voices of a staff
"""
