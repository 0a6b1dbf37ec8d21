"""The notes of a recording in which several notes sound together: chords, accompanied tunes.

expected_note     how likely an expected note was played
octave_doublings  which expected notes cannot be heard apart from their octave
unexpected_note   how likely a note that nobody expected was played
hearing           `hear_several_voices`: the notes, heard with the reference in mind
"""
