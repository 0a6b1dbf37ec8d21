"""The pitch of single notes.

octaves      decide in which octave a note was played
note_pitch   measure the pitch of each note in its final limits
"""
