"""Draw what a script plays as a piano roll, with the drums in rows below it."""

from consort_kit.png import render_png
from consort_music.note_sequence.to_midi_file import sequence_to_midi
from consort_music.piano_roll import draw_piano_roll
from consort_strudel.events.midi_export import MidiExport


def draw_events(made: MidiExport, title: str, width: int, height: int) -> bytes:
    """Return a PNG. Bars are cycles, unless the cycle has no time signature."""
    file = sequence_to_midi(made.music)
    return render_png(draw_piano_roll(file, width=width, height=height, title=title, end_beat=made.music.end))
