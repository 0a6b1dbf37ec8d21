"""The notes that were played.

midi_take        the notes of a MIDI file
pitch_runs       the notes of one voice, joined where the pitch stays the same
strikes          find where a ringing string is struck again
evidence         how clearly a note begins at a moment, and whether a pitch sounds
octaves          decide in which octave a note was played
own_partials     find the start of soft notes in the sound of the note before
ghost_notes      remove what nobody played: octave errors of the pitch tracker, transients, noise
repeated_notes   find repeated notes inside runs, where the reference expects them
second_look      look again for expected notes that were not found
soft_repeats     let softly repeated notes begin when they were due
split_notes      join what was heard as two notes but played as one
note_pitch       measure the pitch of each note in its final limits
several_voices/  the notes of chords and accompanied tunes
audio_take       `listen_and_align`: all of this
"""
