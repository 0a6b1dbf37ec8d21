"""Lowest and highest sounding note of acoustic General MIDI instruments. Those without limits are not listed."""

from consort_music.instruments import INSTRUMENTS
from consort_music.pitch import Pitch

_RANGES = {
    "A0 C8": "Acoustic Grand Piano, Bright Acoustic Piano, Electric Grand Piano, Honky-tonk Piano",
    "E1 E7": "Electric Piano 1, Electric Piano 2",
    "F1 F6": "Harpsichord, Clavinet",
    "C4 C8": "Celesta",
    "G5 C8": "Glockenspiel",
    "F3 F6": "Vibraphone",
    "C2 C7": "Marimba, Drawbar Organ, Percussive Organ, Rock Organ, Church Organ, Reed Organ, Tango Accordion",
    "F4 C8": "Xylophone",
    "C4 F5": "Tubular Bells",
    "E2 A6": "Accordion",
    "C4 C7": "Harmonica",
    "E2 B5": "Acoustic Guitar (nylon)",
    "E2 E6": "Acoustic Guitar (steel), Electric Guitar (jazz), Electric Guitar (clean), Electric Guitar (muted), "
    "Overdriven Guitar, Distortion Guitar",
    "E1 G4": "Acoustic Bass, Fretless Bass",
    "B0 G4": "Electric Bass (finger), Electric Bass (pick), Slap Bass 1, Slap Bass 2",
    "G3 A7": "Violin, Fiddle",
    "C3 E6": "Viola",
    "C2 C6": "Cello",
    "C1 C5": "Contrabass",
    "C1 A7": "Tremolo Strings, Pizzicato Strings, String Ensemble 1, String Ensemble 2",
    "B0 G#7": "Orchestral Harp",
    "C2 C4": "Timpani",
    "E2 C6": "Choir Aahs, Voice Oohs",
    "E3 D6": "Trumpet, Muted Trumpet",
    "E2 F5": "Trombone",
    "D1 F4": "Tuba",
    "B1 F5": "French Horn",
    "D1 D6": "Brass Section",
    "Ab3 E6": "Soprano Sax",
    "Db3 A5": "Alto Sax",
    "Ab2 E5": "Tenor Sax",
    "C2 A4": "Baritone Sax",
    "Bb3 A6": "Oboe",
    "E3 C6": "English Horn",
    "Bb1 E5": "Bassoon",
    "D3 Bb6": "Clarinet",
    "D5 C8": "Piccolo",
    "B3 D7": "Flute",
    "C4 D7": "Recorder",
    "C3 C6": "Banjo",
}


def _by_program() -> dict[int, tuple[int, int]]:
    programs = {instrument.name: instrument.program for instrument in INSTRUMENTS}
    ranges: dict[int, tuple[int, int]] = {}
    for bounds, names in _RANGES.items():
        lowest, highest = (Pitch.parse(name).midi for name in bounds.split())
        ranges |= {programs[name]: (lowest, highest) for name in names.split(", ")}
    return ranges


INSTRUMENT_RANGES = _by_program()
"""Lowest and highest MIDI note by program."""
