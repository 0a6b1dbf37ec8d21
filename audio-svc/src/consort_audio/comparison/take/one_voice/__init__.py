"""The notes of one voice, heard with the reference in mind.

evidence/         how clearly a note begins at a moment, whether a pitch sounds, where a string is struck again
pitch_runs        the notes of one voice, joined where the pitch stays the same
pitches/          in which octave a note was played, and its pitch in its final limits
starts/           where soft and repeated notes begin
doubtful_notes/   remove, add and join notes that the pitch tracker heard wrongly
faded_notes       let notes that fade end when they were due to end
hearing           `hear_one_voice`: all of this
"""
