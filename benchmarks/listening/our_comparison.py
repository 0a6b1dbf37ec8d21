"""Compare takes of the truth set with their reference: compare_to_reference, with the reference as a MIDI file."""

import io
from typing import Any, NamedTuple

import mido

from benchmarks.listening.fault_scores import GROUPS, TimedFault
from benchmarks.listening.our_tools import HeardFile, answer_of_task
from evaluation.sounds.truth import TrueNote, Truth

_PPQ = 960
_ANY_FILE = {"midi_file_id": "midi_" + 26 * "0"}
PairedPlaces = set[tuple[int, int]]
"""The place of a note in the reference, and its place in the take."""


class ComparedTake(NamedTuple):
    faults: list[TimedFault]
    overall: float


def injected(truth: Truth, with_tuning: bool = True) -> list[TimedFault]:
    """Return the faults of the truth. A MIDI file has no tuning."""
    faults = [TimedFault(GROUPS[fault.kind], fault.time) for fault in truth.faults]
    return [fault for fault in faults if with_tuning or fault.group != "flat/sharp"]


def compare_audio_take(file: HeardFile, truth: Truth) -> ComparedTake:
    return _compared(file.answer("compare_to_reference", **reference_options(truth)))


def compare_midi_take(truth: Truth) -> ComparedTake:
    options = reference_options(truth) | {"take_midi": _packed(keys_of(truth), 120)}
    return _compared(answer_of_task("compare_to_reference", options, [], {}))


def aligned_pairs(truth: Truth) -> PairedPlaces:
    """Return which notes of a MIDI take our alignment pairs, without those of another pitch."""
    from consort_audio.comparison.align.alignment import align
    from consort_audio.comparison.reference.build import build_reference
    from consort_audio.comparison.take.midi_take import midi_take

    size = 10**7
    music = build_reference("midi_file", _ANY_FILE, _midi_file(truth.reference, truth.reference_bpm or 120), size)
    alignment = align(music, midi_take(_midi_file(keys_of(truth), 120), size))
    pairs = {(pair.expected, pair.played) for each in alignment.passes for pair in each.pairs}
    return {(a, b) for a, b in pairs if music.notes[a].pitch == alignment.pitches[b]}


def keys_of(truth: Truth) -> list[TrueNote]:
    """Return the played notes as keys of a keyboard: one that was out of tune, by up to 75 cents, is the right key."""
    out_of_tune = {fault.time: fault.expected for fault in truth.faults if fault.kind in ("flat", "sharp")}
    return [note._replace(pitch=out_of_tune.get(note.start) or note.pitch) for note in truth.notes]


def reference_options(truth: Truth) -> dict[str, Any]:
    """Return the options of compare_to_reference that give the reference of a take as a MIDI file."""
    packed = _packed(truth.reference, truth.reference_bpm or 120)
    return {"reference_type": "midi_file", "reference_params": _ANY_FILE, "reference_midi": packed}


def _packed(notes: list[TrueNote], bpm: float) -> str:
    from consort_audio.comparison.midi_packing import pack_midi

    return pack_midi(_midi_file(notes, bpm))


def _compared(answer: dict[str, Any]) -> ComparedTake:
    return ComparedTake(reported_faults(answer), answer["comparison"]["overall"])


def reported_faults(answer: dict[str, Any]) -> list[TimedFault]:
    """Return the faults and restarts that an answer of compare_to_reference names."""
    faults = [TimedFault(GROUPS[error["type"]], error["time"]) for error in answer["errors"]]
    return faults + [TimedFault("restart", restart["time"]) for restart in answer["restarts"]]


def _midi_file(notes: list[TrueNote], bpm: float) -> bytes:
    """Return the notes as a MIDI file that states this tempo."""
    ticks_per_second = _PPQ * bpm / 60
    events = []
    for note in notes:
        events.append((round(note.end * ticks_per_second), 0, round(note.pitch), 0))
        events.append((round(note.start * ticks_per_second), 1, round(note.pitch), note.velocity))
    track = mido.MidiTrack([mido.MetaMessage("set_tempo", tempo=round(60e6 / bpm))])
    now = 0
    for tick, is_start, pitch, velocity in sorted(events):
        kind = "note_on" if is_start else "note_off"
        track.append(mido.Message(kind, note=pitch, velocity=velocity, time=tick - now))
        now = tick
    out = io.BytesIO()
    mido.MidiFile(tracks=[track], ticks_per_beat=_PPQ).save(file=out)
    return out.getvalue()
