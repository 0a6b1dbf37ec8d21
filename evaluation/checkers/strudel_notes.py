"""Read the notes that the engine's events mean, and those of a MIDI file, independently of `consort_strudel.events`.

Written from the documentation of the engine: names without a number are in octave 3, `freq` wins over `note`, synths
without a note play MIDI note 36, a MIDI velocity is gain times velocity (0.9 if not given) times 127.
"""

import io
import math
from collections import Counter, defaultdict, deque
from fractions import Fraction
from typing import Any

import mido

from consort_strudel.engine import PlayedEvent

_SEMITONES = dict(zip("cdefgab", (0, 2, 4, 5, 7, 9, 11), strict=True))
_DRUMS = {
    **dict.fromkeys(("bd", "kick"), 36),
    **dict.fromkeys(("sd", "snare"), 38),
    **dict.fromkeys(("cp", "clap"), 39),
    **dict.fromkeys(("hh", "hihat"), 42),
    **dict.fromkeys(("oh", "openhat"), 46),
    "crash": 49,
    "ride": 51,
    "tambourine": 54,
    "cowbell": 56,
    "shaker": 70,
}
_DRUM_CHANNEL = 9
_WITHOUT_NOTES = ("crow", "space")

EventNote = tuple[bool, int, Fraction, Fraction, int]
"""Whether it is a drum, key, start and length in beats, velocity."""


def notes_of_events(events: tuple[PlayedEvent, ...], beats: Fraction) -> Counter[EventNote]:
    """Return the notes of events that begin at cycle 0."""
    found: Counter[EventNote] = Counter()
    for event in events:
        value: dict[str, Any] = event.value
        loudness = min(float(value.get("gain", 1)) * float(value.get("velocity", 0.9)), 1)
        drum = _DRUMS.get(str(value.get("s", "")).lower().split("_")[-1])
        if loudness == 0 or value.get("s") in _WITHOUT_NOTES:
            continue
        key = drum if drum is not None else _key(value)
        found[drum is not None, key, event.begin * beats, event.duration * beats, max(round(127 * loudness), 1)] += 1
    return found


def notes_of_file(content: bytes) -> Counter[EventNote]:
    """Return the notes of a MIDI file as mido reads it. Note-ons and note-offs are paired first-in first-out."""
    file = mido.MidiFile(file=io.BytesIO(content))
    found: Counter[EventNote] = Counter()
    for track in file.tracks:
        sounding: defaultdict[tuple[int, int], deque[tuple[int, int]]] = defaultdict(deque)
        tick = 0
        for message in track:
            tick += message.time
            if message.type == "note_on" and message.velocity:
                sounding[message.channel, message.note].append((tick, message.velocity))
            elif message.type in ("note_on", "note_off"):
                start, velocity = sounding[message.channel, message.note].popleft()
                times = (Fraction(each, file.ticks_per_beat) for each in (start, tick - start))
                found[message.channel == _DRUM_CHANNEL, message.note, *times, velocity] += 1
        assert not any(sounding.values())
    return found


def _key(value: dict[str, Any]) -> int:
    if "freq" in value:
        return round(69 + 12 * math.log2(float(value["freq"]) / 440))
    note = value.get("note", 36)
    if not isinstance(note, str):
        return round(float(note))
    letters = note.rstrip("0123456789").lower()
    octave = note[len(letters) :] or "3"
    sharps = letters[1:].count("#") - letters[1:].count("b")
    return 12 * (int(octave) + 1) + _SEMITONES[letters[0]] + sharps
