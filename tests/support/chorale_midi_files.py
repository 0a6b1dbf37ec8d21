"""Make MIDI files of Bach's chorales: read the MusicXML of music21's corpus by hand, and write it with mido.

Our own reader and writer are not used. Besides notes, each file gets the messages of real files: programs, controllers,
pressure, pitch bends, tempo changes and system exclusives.
"""

import io
import random
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import mido

TICKS = 480
_STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}


def chorales(count: int) -> list[tuple[str, bytes]]:
    """Return the names and MIDI files of the first `count` chorales."""
    spec = find_spec("music21")
    assert spec is not None and spec.origin is not None
    files = sorted((Path(spec.origin).parent / "corpus" / "bach").glob("*.mxl"))[:count]
    assert len(files) == count
    return [(file.stem, midi_file(file)) for file in files]


def midi_file(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name.endswith((".xml", ".musicxml")) and "META" not in name)
        root = ElementTree.fromstring(archive.read(name))
    chance = random.Random(path.stem)
    file = mido.MidiFile(ticks_per_beat=TICKS)
    parts = [list(_notes(part)) for part in root.iter("part")]
    end = max(stop for part in parts for _, stop, _ in part)
    file.tracks.append(_conductor(end, chance))
    for index, part in enumerate(parts):
        file.tracks.append(_track(part, end, min(index, 8), chance))
    out = io.BytesIO()
    file.save(file=out)
    return out.getvalue()


def _notes(part: ElementTree.Element) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, pitch) of each note, in ticks. Tied notes stay separate."""
    now = last = 0
    divisions = 1
    for element in part.iter():
        if element.tag == "divisions":
            divisions = int(element.text or 1)
        elif element.tag in ("note", "backup", "forward") and element.find("grace") is None:
            length = int(element.findtext("duration", "0")) * TICKS // divisions
            if element.tag == "backup":
                now -= length
                continue
            start = last if element.find("chord") is not None else now
            pitch = element.find("pitch")
            if pitch is not None and length:
                step, octave = pitch.findtext("step", "C"), int(pitch.findtext("octave", "4"))
                alter = int(pitch.findtext("alter", "0"))
                yield start, start + length, 12 * (octave + 1) + _STEPS[step] + alter
            if element.find("chord") is None:
                last, now = now, now + length


def _conductor(end: int, chance: random.Random) -> mido.MidiTrack:
    changes = sorted({0, *(chance.randrange(end) for _ in range(20))})
    events = [(tick, mido.MetaMessage("set_tempo", tempo=chance.randrange(100_000, 300_000))) for tick in changes]
    events.append((0, mido.MetaMessage("time_signature", numerator=3, denominator=4)))
    return _timed(events)


def _track(notes: list[tuple[int, int, int]], end: int, channel: int, chance: random.Random) -> mido.MidiTrack:
    events: list[tuple[int, mido.Message]] = [
        (0, mido.Message("program_change", channel=channel, program=chance.randrange(128))),
        (0, mido.Message("sysex", data=[chance.randrange(128) for _ in range(chance.randrange(1, 300))])),
    ]
    for start, stop, pitch in notes:
        note = {"channel": channel, "note": pitch}
        events.append((start, mido.Message("note_on", **note, velocity=chance.randrange(1, 128))))
        kind = chance.choice(["note_on", "note_off"])
        events.append((stop, mido.Message(kind, **note, velocity=0 if kind == "note_on" else chance.randrange(128))))
    for _ in range(20):
        tick = chance.randrange(end)
        controller = {"control": chance.choice([1, 7, 10, 11, 64, 74, 91]), "value": chance.randrange(128)}
        events.append((tick, mido.Message("control_change", channel=channel, **controller)))
        events.append((tick, mido.Message("pitchwheel", channel=channel, pitch=chance.randrange(-8192, 8192))))
        events.append((tick, mido.Message("aftertouch", channel=channel, value=chance.randrange(128))))
        pressure = {"note": chance.randrange(128), "value": chance.randrange(128)}
        events.append((tick, mido.Message("polytouch", channel=channel, **pressure)))
    events.append((end, mido.Message("control_change", channel=channel, control=64, value=0)))
    return _timed(events)


def _timed(events: list[tuple[int, mido.Message]]) -> mido.MidiTrack:
    """Return a track with delta times. Note-offs come first at each tick."""
    events.sort(key=lambda event: (event[0], event[1].type in ("note_on", "note_off") and bool(event[1].velocity)))
    track = mido.MidiTrack()
    last = 0
    for tick, message in events:
        track.append(message.copy(time=tick - last))
        last = tick
    return track
