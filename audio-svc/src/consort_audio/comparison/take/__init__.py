"""The notes that were played.

midi_take        the notes of a MIDI file
pitch_runs       the notes of one voice, joined where the pitch stays the same
evidence         how clearly a note begins at a moment, and whether a pitch sounds
repeated_notes   find repeated notes inside runs, where the reference expects them
ghost_notes      remove what nobody played: octave errors of the pitch tracker, transients, noise
octaves          decide in which octave a note was played
second_look      look again for expected notes that were not found
audio_take       `hear_take`: all of this
"""
