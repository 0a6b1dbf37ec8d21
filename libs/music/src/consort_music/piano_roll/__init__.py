"""The piano roll: a picture of a MIDI file as SVG text, the same for every service.

    draw_piano_roll(file, title="Evening Song")                the whole file
    draw_piano_roll(file, start_beat=16, end_beat=32)          a part of it, in quarter notes
    window_of_bars(file, 5, 8)                                 the beats at which bars 5 to 8 begin and end

`voices` says who plays what, `bars` counts through changes of metre, `shapes` turns notes into rectangles, `frame`
divides the picture, `ruler`, `landmarks` (sections and keys), `keys` and `legend` draw what stands around the notes,
`marks` places words beside each other, `drawing` puts all of it together.
"""

from consort_music.piano_roll.drawing import draw_piano_roll
from consort_music.piano_roll.window import window_of_bars

__all__ = ["draw_piano_roll", "window_of_bars"]
