"""Jobs on MIDI files: tidy, convert, split and merge them."""

import base64
import io
import random
from fractions import Fraction

import mido

from benchmarks.assistant_jobs.session import Session, expect

ABC = 'X:1\nT:Air\nM:4/4\nL:1/8\nQ:1/4=96\nK:Dm\n"Dm"D2FA d2AF|"Gm"G2Bd g2dB|"A7"A2ce a2ge|"Dm"d4 D4|]'


async def tidy_messy_file(session: Session) -> None:
    """View an imprecisely played file, quantize and transpose it, and export it."""
    stored = await session.call("store_midi", base64=messy_file(), name="messy.mid")
    file_id = stored["midi_file_id"]
    before = await session.call("get_midi", midi_file_id=file_id)
    await session.picture("render_piano_roll", midi_file_id=file_id)
    tidied = await session.call(
        "transform_midi",
        midi_file_id=file_id,
        name="tidy.mid",
        operations=[
            {"type": "trim", "first_bar": 1, "last_bar": 4},
            {"type": "quantize", "grid": "1/8"},
            {"type": "transpose", "to_key": "A minor"},
        ],
    )
    after = await session.call("get_midi", midi_file_id=tidied["midi_file_id"])
    expect(after["metadata"]["note_count"] == before["metadata"]["note_count"] == 32, "no note is lost")
    read = await session.call("read_midi_notes", midi_file_id=tidied["midi_file_id"], format="objects", limit=50)
    starts = [Fraction(str(note["start"])) for note in read["notes"]]
    expect(all((start * 2).denominator == 1 for start in starts), f"all starts are on the grid: {starts}")
    exported = await session.call("export_midi", midi_file_id=tidied["midi_file_id"])
    expect(exported["full_path"].endswith("tidy.mid"), f"the answer says where the file is: {exported}")


async def abc_to_midi(session: Session) -> None:
    """Convert ABC to a MIDI file with its key, and analyse the chord symbols."""
    made = await session.call("validate_midi", midi_text=ABC, name="air.mid")
    file = await session.call("get_midi", midi_file_id=made["midi_file_id"])
    expect("D minor" in str(file), "the key is in the file")
    named = await session.call("analyze_harmony", music=ABC)
    expect("A7" in str(named), "the chord symbols are kept")


async def split_humanize_merge(session: Session) -> None:
    """Split a type 0 file by channel, humanize one part and merge them again."""
    stored = await session.call("store_midi", base64=type_0_file(), name="band.mid")
    parts = await session.call(
        "transform_midi", midi_file_id=stored["midi_file_id"], operations=[{"type": "split", "by": "channel"}]
    )
    files = [parts, *parts["more_files"]]
    expect(len(files) == 3, f"three instruments make three files: {[each['name'] for each in files]}")
    loose = await session.call(
        "transform_midi", midi_file_id=files[0]["midi_file_id"], operations=[{"type": "humanize", "seed": 4}]
    )
    others = [each["midi_file_id"] for each in files[1:]]
    merged = await session.call(
        "transform_midi",
        midi_file_id=loose["midi_file_id"],
        operations=[{"type": "merge", "midi_file_ids": others}],
        name="band again.mid",
    )
    file = await session.call("get_midi", midi_file_id=merged["midi_file_id"])
    expect(file["metadata"]["note_count"] == 48, "no note is lost")


def messy_file() -> str:
    """Return a file of four bars of eighth notes in D minor, each up to 30 ticks early or late, as base64."""
    dice = random.Random(1)
    track = mido.MidiTrack([mido.MetaMessage("track_name", name="Take 3"), mido.MetaMessage("set_tempo", tempo=600000)])
    events = []
    for number in range(32):
        pitch = 62 + (0, 2, 3, 5, 7, 8, 10, 12)[number % 8]
        start = max(0, number * 240 + dice.randrange(-30, 31))
        events += [(start, "note_on", pitch), (start + 200, "note_off", pitch)]
    return _encoded(track, [(tick, kind, 0, pitch) for tick, kind, pitch in events], 1)


def type_0_file() -> str:
    track = mido.MidiTrack(
        [mido.Message("program_change", channel=0, program=0), mido.Message("program_change", channel=1, program=33)]
    )
    events = [
        (number * 480 + length, kind, channel, pitch)
        for channel, pitch in ((0, 72), (1, 40), (9, 38))
        for number in range(16)
        for length, kind in ((0, "note_on"), (400, "note_off"))
    ]
    return _encoded(track, events, 0)


def _encoded(track: mido.MidiTrack, events: list[tuple[int, str, int, int]], midi_type: int) -> str:
    now = 0
    for tick, kind, channel, pitch in sorted(events):
        track.append(mido.Message(kind, channel=channel, note=pitch, velocity=80, time=tick - now))
        now = tick
    file = mido.MidiFile(type=midi_type, ticks_per_beat=480, tracks=[track])
    buffer = io.BytesIO()
    file.save(file=buffer)
    return base64.b64encode(buffer.getvalue()).decode()
