"""Draws the pictures in this folder from the MIDI text beside them: python docs/pictures/draw.py"""

from pathlib import Path

from consort_midi_store.pictures.png import png_of
from consort_music.midi.build import build_midi
from consort_music.midi_text import read_midi_text
from consort_music.piano_roll import draw_piano_roll

HERE = Path(__file__).parent
TITLES = {"chorale": "Evening hymn", "lantern-swing": "Lantern swing", "river-journey": "River journey"}


def main() -> None:
    for name, title in TITLES.items():
        reading = read_midi_text((HERE / f"{name}.txt").read_text(encoding="utf-8"))
        svg = draw_piano_roll(build_midi(reading.text), width=1200, height=600, title=title)
        (HERE / f"{name}.png").write_bytes(png_of(svg))


if __name__ == "__main__":
    main()
