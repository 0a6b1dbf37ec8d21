"""The notes that were played.

midi_take        the notes of a MIDI file
pitch_runs       the notes of one voice, joined where the pitch stays the same
evidence         how clearly a note begins at a moment, and whether a pitch sounds
octaves          decide in which octave a note was played
ghost_notes      remove what nobody played: octave errors of the pitch tracker, transients, noise
repeated_notes   find repeated notes inside runs, where the reference expects them
second_look      look again for expected notes that were not found
several_voices   the notes of chords and accompanied tunes
audio_take       `listen_and_align`: all of this
"""
