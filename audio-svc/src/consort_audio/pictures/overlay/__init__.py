"""What is known about audio, to be drawn over its picture.

model           `Overlay`: notes, beats, chords and faults with their times
from_music      the overlay of audio that was rendered from music: its notes, beats and bars
from_analyses   the notes, beats, chords and faults that the listening tools have found
"""
