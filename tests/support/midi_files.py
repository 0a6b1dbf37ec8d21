"""MIDI files for tests: some are made by mido, the others are real files."""

import base64
import io
from importlib.util import find_spec
from pathlib import Path

import mido


def midi_bytes(*tracks: list[mido.Message], ppq: int = 480, charset: str = "latin1") -> bytes:
    """Return the bytes of a file with these tracks."""
    out = io.BytesIO()
    mido.MidiFile(tracks=[mido.MidiTrack(track) for track in tracks], ticks_per_beat=ppq, charset=charset).save(
        file=out
    )
    return out.getvalue()


def tune(notes: int = 16, *, name: str = "Lead", program: int = 0, tempo_bpm: float = 120) -> bytes:
    """Return a file with a scale in eighth notes in one track."""
    track = [
        mido.MetaMessage("track_name", name=name),
        mido.MetaMessage("set_tempo", tempo=mido.bpm2tempo(tempo_bpm)),
        mido.Message("program_change", program=program),
    ]
    for index in range(notes):
        pitch = 60 + index % 24
        track.append(mido.Message("note_on", note=pitch, velocity=80))
        track.append(mido.Message("note_off", note=pitch, time=240))
    return midi_bytes(track)


def as_base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def real_files() -> list[Path]:
    """Return about twenty files by various programs. They come with music21, whose slow import is avoided."""
    package = find_spec("music21")
    assert package is not None and package.origin is not None
    return sorted(Path(package.origin).parent.rglob("*.mid"))
