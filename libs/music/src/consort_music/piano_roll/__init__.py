"""Draw a MIDI file as a piano roll: a picture as SVG text.

    draw_piano_roll(file, title="Evening Song")                the whole file
    draw_piano_roll(file, start_beat=16, end_beat=32)          a part of it, in quarter notes

    drawing             `draw_piano_roll`: choose what is visible and draw everything, from back to front
    voices              the voices of a file (tracks or channels) with their notes and colours
    layout              the areas of the picture
    note_rectangles     notes as rectangles, merged if there are too many
    ruler               bar lines, beat lines, bar numbers, metres and tempos
    sections_and_keys   section names and key changes
    keyboard            shaded rows, the keyboard, names of pitches and drums
    legend              the heading: the colours of voices and the shades of loudness

SVG, colours, labels and the time axis are in `consort_music.pictures`, which the pictures of audio use too.
Notes become rectangles at the exact pixels of their ticks. If there are too many, neighbours on one pitch are merged;
the largest gap that is closed grows until the number is small enough. If bars are narrow, only every 2nd, 4th, 8th …
bar line and number is drawn. Labels are placed greedily, those that are valid longest first. So the size of the SVG
depends on the width of the picture, not on the length of the file. The time is linear in the number of notes.
`consort_kit.png` converts the SVG to PNG. The folder docs/pictures has examples.

Lengths and positions are in pixels unless stated otherwise.
"""

from consort_music.piano_roll.drawing import draw_piano_roll

__all__ = ["draw_piano_roll"]
