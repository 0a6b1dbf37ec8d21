"""`Overlay`: the notes, beats, chords and faults of an audio file, in seconds from its start."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias, get_args

Layer: TypeAlias = Literal["notes", "beats", "chords", "faults"]
"""A kind of known things that can be drawn."""
ALL_LAYERS: tuple[Layer, ...] = get_args(Layer)


class OverlayNote(NamedTuple):
    start: float
    end: float
    pitch: float
    """A MIDI note number; 69.5 is a quarter tone above A4."""


class OverlayBeat(NamedTuple):
    time: float
    bar: int
    beat: int
    """From 1: the first beat of the bar. 0: bars are not known."""


class OverlayChord(NamedTuple):
    start: float
    end: float
    name: str


class OverlayFault(NamedTuple):
    time: float
    kind: str
    """A kind of `consort_audio.pictures.drawing.fault_marks`, such as `late`; others get a general mark."""
    text: str


@dataclass(frozen=True, slots=True)
class OverlayVoice:
    """Notes with one colour. The pitches of drums are not drawn, only their times."""

    name: str
    detail: str
    colour: str
    is_drums: bool
    notes: tuple[OverlayNote, ...]


@dataclass(frozen=True, slots=True)
class Overlay:
    voices: tuple[OverlayVoice, ...] = ()
    beats: tuple[OverlayBeat, ...] = ()
    chords: tuple[OverlayChord, ...] = ()
    faults: tuple[OverlayFault, ...] = ()

    @property
    def layers(self) -> list[Layer]:
        """The layers that are not empty."""
        contents = {"notes": self.voices, "beats": self.beats, "chords": self.chords, "faults": self.faults}
        return [layer for layer in ALL_LAYERS if contents[layer]]

    def only(self, layers: Collection[Layer]) -> "Overlay":
        """Return the overlay with only these layers."""
        return Overlay(
            voices=self.voices if "notes" in layers else (),
            beats=self.beats if "beats" in layers else (),
            chords=self.chords if "chords" in layers else (),
            faults=self.faults if "faults" in layers else (),
        )

    def filled_from(self, other: "Overlay") -> "Overlay":
        """Return the overlay with the layers of another one where this one has none."""
        return Overlay(
            voices=self.voices or other.voices,
            beats=self.beats or other.beats,
            chords=self.chords or other.chords,
            faults=self.faults or other.faults,
        )

    def within(self, start: float, end: float) -> "Overlay":
        """Return what is at least partly between two times. Voices without a visible note are left out."""
        voices = [
            replace(voice, notes=tuple(note for note in voice.notes if note.start < end and note.end > start))
            for voice in self.voices
        ]
        return Overlay(
            voices=tuple(voice for voice in voices if voice.notes),
            beats=tuple(beat for beat in self.beats if start <= beat.time < end),
            chords=tuple(chord for chord in self.chords if chord.start < end and chord.end > start),
            faults=tuple(fault for fault in self.faults if start <= fault.time < end),
        )

    def moved(self, seconds: float) -> "Overlay":
        """Return the overlay with this added to all times, for audio that starts earlier or later."""
        return Overlay(
            voices=tuple(
                replace(
                    voice,
                    notes=tuple(
                        OverlayNote(start + seconds, end + seconds, pitch) for start, end, pitch in voice.notes
                    ),
                )
                for voice in self.voices
            ),
            beats=tuple(beat._replace(time=beat.time + seconds) for beat in self.beats),
            chords=tuple(OverlayChord(start + seconds, end + seconds, name) for start, end, name in self.chords),
            faults=tuple(fault._replace(time=fault.time + seconds) for fault in self.faults),
        )
