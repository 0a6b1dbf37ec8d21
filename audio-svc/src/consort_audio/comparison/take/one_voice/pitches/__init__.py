"""The pitch of single notes.

octaves           decide in which octave a note was played
struck_pitch      find which string was struck, where others ring
partial_centres   measure the pitch of a note by the centres of gravity of its partials
note_pitch        measure the pitch of each note in its final limits
"""
