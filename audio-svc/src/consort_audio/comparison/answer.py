"""Answer the comparison tools. Runs in a worker."""

from typing import Any

from consort_audio.analysis.listening_task import ListeningTask
from consort_audio.comparison.align.alignment import align
from consort_audio.comparison.asked_bars import align_asked_bars
from consort_audio.comparison.faults.judging import JudgedTake, judge
from consort_audio.comparison.faults.limits import MIDI_TAKE
from consort_audio.comparison.midi_packing import unpack_midi
from consort_audio.comparison.outcome import not_judged, outcome
from consort_audio.comparison.played_octave import in_played_octave
from consort_audio.comparison.reference.build import build_reference
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.report.drawing_data import drawing_data
from consort_audio.comparison.take.audio_take import listen_and_align
from consort_audio.comparison.take.midi_take import midi_take
from consort_audio.comparison.take.unsuitable_sound import unsuitable
from consort_audio.comparison.two_takes import compare_takes
from consort_audio.neural.sessions import session

MIDI_METHOD = "MIDI notes, aligned by a hidden Markov model"
ONE_VOICE_ONLY = (
    "The network for several notes at once (basic-pitch) is not installed, so only one voice of this music was heard: "
    "notes that are called missing may have been played. See consort doctor, or give 'track' to compare with one voice."
)
_ONE_VOICE_CONFIDENCE = 0.1


def answer(task: ListeningTask) -> dict[str, Any]:
    """Return the answer of compare_to_reference, with what its picture needs, or of compare_audio."""
    options = task.options
    if task.tool == "compare_audio":
        music = _reference(options) if options.get("reference_type") else None
        return compare_takes(task.read(0), task.read(1), options["comparison_type"], music, task.report)
    music = _reference(options)
    task.report(0.1)
    take, method = _take(task, music)
    found = {"reference_type": options["reference_type"], **_named(options, music)}
    reason = unsuitable(task.read(0), take) if task.paths else None
    found |= outcome(take, method, is_audio=bool(task.paths)) if reason is None else not_judged(take, method, reason)
    if task.paths and music.is_polyphonic and session("basic-pitch") is None:
        found["warnings"] = [*found.get("warnings", []), ONE_VOICE_ONLY]
        found["confidence"] = min(found["confidence"], _ONE_VOICE_CONFIDENCE)
    return found | {"drawing": drawing_data(take, found)}


def _reference(options: dict[str, Any]) -> ExpectedMusic:
    packed = options.get("reference_midi")
    midi = None if packed is None else unpack_midi(packed)
    return build_reference(
        options["reference_type"],
        options["reference_params"],
        midi,
        options.get("max_midi_bytes", 10 * 1024**2),
        options.get("reference_name", "the music"),
    )


def _take(task: ListeningTask, music: ExpectedMusic) -> tuple[JudgedTake, str]:
    packed = task.options.get("take_midi")
    if packed is not None:
        notes = midi_take(unpack_midi(packed), task.options.get("max_midi_bytes", 10 * 1024**2))
        alignment = align_asked_bars(music, lambda each: align(each, notes))
        return judge(*in_played_octave(music, alignment), MIDI_TAKE), MIDI_METHOD
    heard = listen_and_align(task.read(0), music)
    task.report(0.9)
    return judge(*in_played_octave(music, heard.alignment), heard.judgement), heard.method


def _named(options: dict[str, Any], music: ExpectedMusic) -> dict[str, Any]:
    """Return the document's `scale`, or the title of another reference."""
    if options["reference_type"] == "scale":
        return {"scale": options["reference_params"]["scale"]}
    return {"title": music.title}
