"""MIDI files for tests: made by mido, and real ones."""

import base64
import io
from importlib.util import find_spec
from pathlib import Path

import mido


def tune(notes: int = 16, *, name: str = "Lead", program: int = 0, tempo_bpm: float = 120) -> bytes:
    """A scale in eighth notes, one track."""
    track = mido.MidiTrack()
    track.append(mido.MetaMessage("track_name", name=name))
    track.append(mido.MetaMessage("set_tempo", tempo=mido.bpm2tempo(tempo_bpm)))
    track.append(mido.Message("program_change", program=program))
    for index in range(notes):
        pitch = 60 + index % 24
        track.append(mido.Message("note_on", note=pitch, velocity=80))
        track.append(mido.Message("note_off", note=pitch, time=240))
    file = mido.MidiFile(tracks=[track])
    out = io.BytesIO()
    file.save(file=out)
    return out.getvalue()


def as_base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def real_files() -> list[Path]:
    """Some twenty from various programs, which come with music21: it is not imported, that takes seconds."""
    package = find_spec("music21")
    assert package is not None and package.origin is not None
    return sorted(Path(package.origin).parent.rglob("*.mid"))
