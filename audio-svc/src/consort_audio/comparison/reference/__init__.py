"""The notes that a take is compared with.

expected_music   `ExpectedMusic`: notes with written times, bars and beats
parameters       the fields of `reference_params`, one model for each `reference_type`
parameter_errors check these fields, with errors that show what is right
patterns         scales, arpeggios and intervals as lists of spelled pitches
exercises        scales and exercises as expected music
stored_music     MIDI files, songs and scores as expected music
build            choose among these by the type of the reference
"""
