"""Compare takes of the truth set with their reference, as compare_to_reference does with a MIDI file."""

import io
from typing import NamedTuple

import mido

from benchmarks.listening.fault_scores import GROUPS, TimedFault
from benchmarks.listening.our_tools import HeardFile
from consort_audio.comparison.align.alignment import Alignment, align
from consort_audio.comparison.faults.judging import JudgedTake, judge
from consort_audio.comparison.faults.limits import MIDI_TAKE
from consort_audio.comparison.faults.scores import score
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.reference.parameters import MidiFileReference
from consort_audio.comparison.reference.stored_music import stored_music
from consort_audio.comparison.take.audio_take import listen_and_align
from consort_audio.comparison.take.midi_take import midi_take
from evaluation.sounds.truth import TrueNote, Truth

_MAX_MIDI_BYTES = 10**7
_PPQ = 960


class ComparedTake(NamedTuple):
    faults: list[TimedFault]
    overall: float
    alignment: Alignment


def injected(truth: Truth, with_tuning: bool = True) -> list[TimedFault]:
    """Return the faults of the truth. A MIDI file has no tuning."""
    faults = [TimedFault(GROUPS[fault.kind], fault.time) for fault in truth.faults]
    return [fault for fault in faults if with_tuning or fault.group != "flat/sharp"]


def compare_audio_take(file: HeardFile, truth: Truth) -> ComparedTake:
    music = _reference(truth)
    alignment, judgement, *_ = listen_and_align(file.recording, music)
    return _compared(judge(music, alignment, judgement))


def compare_midi_take(truth: Truth) -> ComparedTake:
    music = _reference(truth)
    alignment = align(music, midi_take(_midi_file(truth.notes, 120), _MAX_MIDI_BYTES))
    return _compared(judge(music, alignment, MIDI_TAKE))


def _reference(truth: Truth) -> ExpectedMusic:
    return stored_music(
        _midi_file(truth.reference, truth.reference_bpm or 120),
        _MAX_MIDI_BYTES,
        MidiFileReference(midi_file_id="midi_" + 26 * "0"),
    )


def _compared(take: JudgedTake) -> ComparedTake:
    faults = [TimedFault(GROUPS[fault.kind], fault.time) for fault in take.faults]
    faults += [TimedFault("restart", each.begin) for each in take.alignment.passes[1:]]
    return ComparedTake(faults, score(take).overall, take.alignment)


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
