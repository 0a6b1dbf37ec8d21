"""What is true of a sound: its notes, beats, key, chords and so on. Times are in seconds from the start of the clip."""

from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, Self


class TrueNote(NamedTuple):
    start: float
    end: float
    pitch: float
    """The MIDI number with its fraction: 60.2 is 20 cents above C4. The centre, if there is vibrato."""
    velocity: int = 80


class TrueChord(NamedTuple):
    start: float
    end: float
    label: str
    """In Harte's syntax, such as `A:min7` or `N` for no chord."""


class TrueFault(NamedTuple):
    kind: str
    """One of `conditions.FAULTS`, but with `early` and `sharp` by their own names."""
    time: float
    """When the fault is heard: the onset of the note; for a missing note, when it should have been heard."""
    expected: float | None
    """The pitch in the reference, or None for an extra note or a restart."""
    played: float | None
    """The pitch played, or None for a missing note or a restart."""


@dataclass
class Truth:
    """Lists are empty and values None where they do not apply to the sound."""

    duration: float = 0.0
    instrument: str = ""
    notes: list[TrueNote] = field(default_factory=list)
    """Without drums."""
    onsets: list[float] = field(default_factory=list)
    """The times at which one or more notes begin, with drums."""
    beats: list[float] = field(default_factory=list)
    downbeats: list[float] = field(default_factory=list)
    bpm: float | None = None
    """The tempo at the start, in beats per minute."""
    bpm_of_recording: float | None = None
    """The tempo of the recording that the notes were written down from, which others may have counted otherwise."""
    is_steady: bool | None = None
    change_time: float | None = None
    """When the tempo changes by 10%."""
    bar_s: float | None = None
    """The length of a bar at the start."""
    key: str | None = None
    """Such as `Eb minor`."""
    chords: list[TrueChord] = field(default_factory=list)
    phrases: list[tuple[float, float]] = field(default_factory=list)
    tuning_cents: float | None = None
    """How far all notes are above equal temperament at 440 Hz."""
    has_vibrato: bool = False
    articulations: list[str] = field(default_factory=list)
    """For each note: `legato` or `staccato`."""
    faults: list[TrueFault] = field(default_factory=list)
    reference: list[TrueNote] = field(default_factory=list)
    """The notes that should be played, at the reference's own tempo."""
    reference_bpm: float | None = None
    labels: dict[str, Any] = field(default_factory=dict)
    """Facts about how the sound was made, for tables and for finding out why something fails."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return cls(
            **data
            | {
                "notes": [TrueNote(*note) for note in data["notes"]],
                "reference": [TrueNote(*note) for note in data["reference"]],
                "chords": [TrueChord(*chord) for chord in data["chords"]],
                "faults": [TrueFault(*fault) for fault in data["faults"]],
                "phrases": [(start, end) for start, end in data["phrases"]],
            }
        )
