"""Hypothesis strategies that draw a `MidiFile` of any kind."""

from hypothesis import strategies as st

from consort_music.midi.model import AlienChunk, Event, MidiFile
from consort_music.midi.reader import ReaderLimits

UNHURRIED = ReaderLimits(max_seconds=10**12, max_ticks=10**12)
"""Limits that allow any duration, because the longest gaps at the slowest tempos last years."""

_DATA = st.integers(0, 127)
_PAIR = st.builds(lambda *pair: bytes(pair), _DATA, _DATA)
_SINGLE = st.builds(lambda byte: bytes((byte,)), _DATA)
_PAYLOAD = st.one_of(st.binary(max_size=6), st.binary(min_size=120, max_size=300))
_META_TYPES = st.one_of(
    st.sampled_from([0x00, 0x01, 0x03, 0x05, 0x06, 0x20, 0x21, 0x51, 0x54, 0x58, 0x59, 0x7F]),
    st.integers(0, 255).filter(lambda number: number != 0x2F),
)

MESSAGES = st.one_of(
    st.tuples(st.integers(0x80, 0x9F), _PAIR),
    st.tuples(st.one_of(st.integers(0x80, 0xBF), st.integers(0xE0, 0xEF)), _PAIR),
    st.tuples(st.integers(0xC0, 0xDF), _SINGLE),
    st.tuples(st.sampled_from([0xF0, 0xF7]), _PAYLOAD),
    st.tuples(st.just(0xFF), st.builds(lambda kind, payload: bytes((kind,)) + payload, _META_TYPES, _PAYLOAD)),
    st.tuples(st.just(0xFF), st.builds(lambda tempo: b"\x51" + tempo, st.binary(min_size=3, max_size=3))),
    st.tuples(st.sampled_from([0xF1, 0xF3]), _SINGLE),
    st.tuples(st.just(0xF2), _PAIR),
    st.tuples(st.sampled_from([0xF6, 0xF8, 0xFA, 0xFB, 0xFC, 0xFE]), st.just(b"")),
)
DELTAS = st.one_of(st.just(0), st.integers(0, 300), st.integers(0, 70_000), st.integers(0, 0x0FFFFFFF))


@st.composite
def tracks(draw: st.DrawFn) -> list[Event]:
    tick = 0
    events: list[Event] = []
    for delta, (status, data) in draw(st.lists(st.tuples(DELTAS, MESSAGES), max_size=25)):
        tick += delta
        events.append((tick, status, data))
    return [*events, (tick + draw(DELTAS), 0xFF, b"\x2f")]


DIVISIONS = st.one_of(
    st.integers(1, 0x7FFF),
    st.builds(lambda rate, ticks: (256 - rate) << 8 | ticks, st.sampled_from([24, 25, 29, 30]), st.integers(1, 255)),
)


@st.composite
def midi_files(draw: st.DrawFn) -> MidiFile:
    format_ = draw(st.sampled_from([0, 1, 2]))
    found = draw(st.lists(tracks(), min_size=1, max_size=1 if format_ == 0 else 4))
    alien = st.builds(
        AlienChunk,
        before_track=st.integers(0, len(found)),
        tag=st.sampled_from([b"XFIH", b"XFKM", b"a b!", b"MThd"]),
        body=st.binary(max_size=20),
    )
    aliens = sorted(draw(st.lists(alien, max_size=3)), key=lambda chunk: chunk.before_track)
    extra = draw(st.one_of(st.just(b""), st.binary(max_size=5)))
    return MidiFile(format_, draw(DIVISIONS), [tuple(track) for track in found], aliens, [], extra)
