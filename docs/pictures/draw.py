"""Draw the pictures in this folder from the MIDI texts beside them: run `python docs/pictures/draw.py`."""

from pathlib import Path

from consort_kit.png import render_png
from consort_music.note_sequence.midi_text import read_midi_text
from consort_music.note_sequence.to_midi_file import sequence_to_midi
from consort_music.piano_roll import draw_piano_roll

HERE = Path(__file__).parent
TITLES = {"chorale": "Evening hymn", "lantern-swing": "Lantern swing", "river-journey": "River journey"}


def main() -> None:
    for name, title in TITLES.items():
        reading = read_midi_text((HERE / f"{name}.txt").read_text(encoding="utf-8"))
        svg = draw_piano_roll(sequence_to_midi(reading.music), width=1200, height=600, title=title)
        (HERE / f"{name}.png").write_bytes(render_png(svg))


if __name__ == "__main__":
    main()
