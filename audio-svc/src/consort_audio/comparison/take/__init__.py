"""The notes that were played.

midi_take         the notes of a MIDI file
one_voice/        the notes of one voice, heard with the reference in mind
several_voices/   the notes of chords and accompanied tunes
unsuitable_sound  why a recording cannot be judged
audio_take        `listen_and_align`: the notes of a recording, and how it is judged
"""
