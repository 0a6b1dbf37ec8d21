"""Events, tracks and operations for the tests of the transforms, some of them messy."""

from itertools import pairwise
from typing import Any

from hypothesis import strategies as st
from pydantic import TypeAdapter

from consort_midi_store.transforms.apply_operations import TransformResult, apply_operations
from consort_midi_store.transforms.change_report import ChangeReport
from consort_midi_store.transforms.schema.operation_inputs import Operation
from consort_music.midi.model import END_OF_TRACK, META, META_TEMPO, Event, MidiFile, Track
from consort_music.midi.notes import PairedNote, pair_notes
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi

PPQ = 96
OPERATION: TypeAdapter[Operation] = TypeAdapter(Operation)


def on(tick: int, pitch: int, velocity: int = 80, channel: int = 0) -> Event:
    return tick, 0x90 | channel, bytes((pitch, velocity))


def off(tick: int, pitch: int, release: int = 64, channel: int = 0) -> Event:
    return tick, 0x80 | channel, bytes((pitch, release))


def end(tick: int) -> Event:
    return tick, META, END_OF_TRACK


def name(text: str) -> Event:
    return 0, META, b"\x03" + text.encode()


def tempo(tick: int, microseconds: int) -> Event:
    return tick, META, bytes((META_TEMPO,)) + microseconds.to_bytes(3, "big")


def meter(tick: int, numerator: int, power: int) -> Event:
    return tick, META, bytes((0x58, numerator, power, 24, 8))


def key(tick: int, sharps: int, *, minor: bool = False) -> Event:
    return tick, META, bytes((0x59, sharps % 256, minor))


channels = st.sampled_from([0, 1, 9])
pitches = st.sampled_from([0, 1, 11, 12, 60, 61, 115, 116, 126, 127])
sevens = st.integers(0, 127)


@st.composite
def messy_tracks(draw: st.DrawFn) -> Track:
    """Draw a track with hanging notes, unmatched note-offs, overlaps, zero lengths, controllers and meta events."""
    kinds = st.sampled_from([0x90] * 8 + [0x80] * 6 + [0xA0, 0xB0, 0xC0, 0xE0, META, 0xF0])
    keys = st.sampled_from(draw(st.lists(st.tuples(channels, pitches), min_size=1, max_size=3)))
    tick = 0
    events: list[Event] = []
    for kind in draw(st.lists(kinds, max_size=30)):
        tick += draw(st.sampled_from([0, 0, 0, 1, 5, 12, 24, 47, 48, 100]))
        if kind == META:
            events.append(
                (
                    tick,
                    META,
                    draw(st.sampled_from([b"\x51\x07\xa1\x20", b"\x05la", b"\x58\x03\x02\x18\x08", b"\x59\x02\x00"])),
                )
            )
        elif kind == 0xF0:
            events.append((tick, 0xF0, b"\x7e\x7f\x09\x01\xf7"))
        else:
            channel, pitch = draw(keys)
            second = draw(st.sampled_from([0, 1, 64, 64, 100])) if kind == 0x90 else draw(sevens)
            data = bytes((pitch,)) if kind == 0xC0 else bytes((pitch, second))
            events.append((tick, kind | channel, data))
    end = tick + draw(st.sampled_from([0, 0, 1, 50]))
    return [*events, (end, META, END_OF_TRACK)]


@st.composite
def crowded_tracks(draw: st.DrawFn) -> Track:
    """Draw notes that overlap, begin together or end together, on one pitch or on two pitches an octave apart."""
    ticks = st.sampled_from([0, 1, 10, 11, 12, 13, 23, 24, 25, 36, 40, 48])
    keys = [(0, 115), (0, 127)][: draw(st.integers(1, 2))]
    events: list[Event] = []
    for velocity in draw(st.lists(st.sampled_from([50, 60, 70]), max_size=6)):
        start, length = draw(ticks), draw(ticks)
        channel, pitch = draw(st.sampled_from(keys))
        events.append(on(start, pitch, velocity, channel))
        events.append(off(start + length, pitch, len(events), channel))
    events.append((draw(ticks), 0xB0, b"\x01\x02"))
    events.sort(key=lambda event: event[0])
    return [*events, end(events[-1][0])]


@st.composite
def clean_tracks(draw: st.DrawFn) -> Track:
    """Draw notes that never overlap on a pitch. Each has a different (channel, pitch, velocity)."""
    events: list[tuple[int, int, Event]] = [(0, 1, (0, META, b"\x03Lead")), (0, 1, (0, 0xC0, b"\x05"))]
    for channel, pitch in draw(st.sets(st.tuples(channels, pitches), max_size=5)):
        tick = 0
        for velocity in range(1, draw(st.integers(1, 9))):
            tick += draw(st.sampled_from([0, 1, 3, 20, 24, 50, 96]))
            length = draw(st.sampled_from([1, 2, 12, 24, 40, 96, 200]))
            off = 0x80 if draw(st.booleans()) else 0x90
            release = draw(sevens) if off == 0x80 else 0
            events.append((tick, 2, (tick, 0x90 | channel, bytes((pitch, velocity)))))
            events.append((tick + length, 0, (tick + length, off | channel, bytes((pitch, release)))))
            tick += length
    for tick in draw(st.lists(st.integers(0, 500), max_size=4)):
        events.append((tick, 1, (tick, draw(st.sampled_from([0xB0, 0xE0, 0xA0])), bytes((60, draw(sevens))))))
    events.sort(key=lambda item: item[:2])
    end = max(event[0] for event in events) + draw(st.sampled_from([0, 10]))
    return [*(event for _, _, event in events), (end, META, END_OF_TRACK)]


@st.composite
def whole_tracks(draw: st.DrawFn) -> Track:
    """Draw controllers, programs and complete notes, which may overlap on a pitch."""
    events: list[tuple[int, int, Event]] = [(0, 1, name(draw(st.sampled_from(["Lead", "Bass"]))))]
    for _ in range(draw(st.integers(0, 12))):
        start, length = draw(st.integers(0, 400)), draw(st.integers(1, 150))
        pitch, channel = draw(st.sampled_from([40, 60, 61])), draw(st.sampled_from([0, 3, 9]))
        events.append((start, 2, on(start, pitch, draw(st.integers(1, 127)), channel)))
        events.append((start + length, 0, off(start + length, pitch, draw(st.integers(0, 127)), channel)))
    for _ in range(draw(st.integers(0, 6))):
        tick = draw(st.integers(0, 400))
        status, data = draw(
            st.sampled_from([(0xB0, b"\x07\x50"), (0xB3, b"\x40\x7f"), (0xC0, b"\x05"), (0xE0, b"\x00\x20")])
        )
        events.append((tick, 1, (tick, status, data)))
    for tick in draw(st.lists(st.integers(0, 400), max_size=2)):
        events.append((tick, 1, tempo(tick, draw(st.sampled_from([300_000, 600_000])))))
    events.sort(key=lambda item: item[:2])
    track = [event for _, _, event in events]
    return [*track, end(track[-1][0] + draw(st.integers(0, 40)))]


def files(tracks: st.SearchStrategy[Track]) -> st.SearchStrategy[MidiFile]:
    return st.builds(lambda tracks: MidiFile(1, PPQ, tracks), st.lists(tracks, min_size=1, max_size=3))


whole_files = st.builds(lambda tracks: MidiFile(1, PPQ, tracks), st.lists(whole_tracks(), min_size=1, max_size=4))
GRIDS = ["1/4", "1/8", "1/16", "1/32", "1/8t", "1/16t"]
quantizings = st.fixed_dictionaries(
    {"type": st.just("quantize"), "grid": st.sampled_from(GRIDS)},
    optional={
        "strength": st.sampled_from([0, 0.25, 0.5, 0.9, 1]),
        "end": st.sampled_from(["keep", "quantize"]),
        "swing": st.sampled_from([50, 58, 66.7]),
    },
)
transposings = st.fixed_dictionaries(
    {"type": st.just("transpose"), "semitones": st.sampled_from([-127, -12, -5, -1, 0, 1, 2, 11, 12, 60, 127])},
    optional={"out_of_range": st.sampled_from(["fold", "clamp", "drop"]), "include_drums": st.booleans()},
)
swingings = st.fixed_dictionaries({"type": st.just("swing"), "amount": st.sampled_from([50, 55, 66.7, 75])})
humanizings = st.fixed_dictionaries(
    {"type": st.just("humanize"), "seed": st.integers(0, 5)},
    optional={"timing_ticks": st.integers(0, 60), "velocity": st.integers(0, 127), "timing_ms": st.integers(0, 200)},
)
velocities = st.fixed_dictionaries(
    {"type": st.just("velocity")},
    optional={
        "set": st.integers(1, 127),
        "curve": st.sampled_from([0.5, 2]),
        "compress": st.sampled_from([-1, 0.5, 1]),
        "scale": st.sampled_from([0, 0.5, 2]),
        "add": st.integers(-127, 127),
        "min": st.integers(1, 40),
        "max": st.integers(41, 127),
    },
).filter(lambda operation: len(operation) > 1)
filters = st.fixed_dictionaries(
    {}, optional={"tracks": st.just([0]), "channels": st.sampled_from([[1], [2, 10], [16]])}
)
note_operations = st.builds(
    lambda operation, chosen: {**operation, **chosen},
    st.one_of(quantizings, transposings, swingings, humanizings, velocities),
    filters,
)


def changed(file: MidiFile, *operations: dict[str, Any]) -> tuple[MidiFile, list[ChangeReport]]:
    result = apply_operations(file, [OPERATION.validate_python(operation) for operation in operations])
    (outcome,) = result.files
    return outcome.file, result.reports


def run(file: MidiFile, *operations: dict[str, Any], others: dict[str, MidiFile] | None = None) -> TransformResult:
    result = apply_operations(file, [OPERATION.validate_python(operation) for operation in operations], others)
    for outcome in result.files:
        again = read_midi(write_midi(outcome.file))
        assert [list(track) for track in again.tracks] == [list(track) for track in outcome.file.tracks]
    return result


def one(result: TransformResult) -> MidiFile:
    (outcome,) = result.files
    return outcome.file


def notes_of(track: Track) -> list[PairedNote]:
    return pair_notes(track).notes


def all_notes(file: MidiFile) -> list[PairedNote]:
    return [note for index, track in enumerate(file.tracks) for note in pair_notes(track, index).notes]


def sounds(file: MidiFile) -> list[tuple[int, ...]]:
    """Return all notes without their track numbers, sorted."""
    return sorted(note[1:7] for note in all_notes(file))


def others_of(track: Track) -> list[Event]:
    return [event for event in track if event[1] >= 0xA0 and event[2] != END_OF_TRACK]


def by_identity(track: Track) -> dict[tuple[int, int, int], PairedNote]:
    return {(note.channel, note.pitch, note.velocity): note for note in notes_of(track)}


def overlaps(notes: list[PairedNote]) -> int:
    keys: dict[tuple[int, int], list[PairedNote]] = {}
    for note in notes:
        keys.setdefault((note.channel, note.pitch), []).append(note)
    return sum(earlier.end > later.start for each in keys.values() for earlier, later in pairwise(each))


def drawn(track: Track) -> MidiFile:
    return MidiFile(1, PPQ, [track])


def settings_at(file: MidiFile, tick: int) -> dict[tuple[int, int | None], bytes]:
    """Return the tempo, metre, programs, controllers and pitch bends that are in effect at a tick."""
    events = [event for track in file.tracks for event in track if event[0] <= tick and event[1] >= 0xB0]
    events.sort(key=lambda event: event[0])
    latest = {
        (status, data[0] if status & 0xF0 == 0xB0 or status == META else None): data for _, status, data in events
    }
    return {subject: data for subject, data in latest.items() if subject not in {(META, 0x03), (META, 0x2F)}}
