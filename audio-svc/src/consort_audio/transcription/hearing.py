"""Choose how to hear the notes of a recording: one voice, the piano model, or the network for any instrument."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

from consort_audio.analysis.pitch.notes.find import find_notes
from consort_audio.analysis.pitch.polyphony import SEVERAL_FROM, polyphony
from consort_audio.neural.piano_notes import transcribe_piano_file
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording
from consort_audio.transcription.polyphonic import polyphonic_notes

HeardAs = Literal["voice", "mono", "piano", "any"]

QUICK_PIANO = "Piano by the quick method: about one note in ten is wrong. quality high uses the piano model."
SEVERAL = (
    "Several notes at once, by the network basic-pitch: good for plucked and struck instruments, poor for strings, "
    "organ and full bands. For a piano give instrument piano and quality high."
)
NO_NETWORK = "The network for several notes at once is not installed, so only one voice was heard: see consort doctor."
NO_PIANO_MODEL = "The piano model is not installed, so the quick method was used: see consort doctor."
ONE_VOICE_OF_SEVERAL = "Several notes sound at once; only one voice was written. Give instrument any or piano for all."
ONLY_FOR_PIANO = "The quality high made no difference: only instrument piano has it."


class HeardMusic(NamedTuple):
    notes: list[PlayedNote]
    """With whole pitches, in order of time."""
    heard_as: HeardAs
    method: str
    tuning: float
    """In semitones; 0 if the method hears no tuning."""
    warnings: list[str]


def hear(
    recording: Recording, path: Path, instrument: HeardAs, is_high_quality: bool, report: Callable[[float], None]
) -> HeardMusic:
    """Return the notes. `path` is the recording's file, for the piano model, which needs its full sample rate."""
    if instrument == "piano":
        return _piano(recording, path, is_high_quality, report)
    warnings = [ONLY_FOR_PIANO] if is_high_quality else []
    several = polyphony(recording)
    is_several = several is not None and several >= SEVERAL_FROM
    if instrument == "any" and is_several and (notes := polyphonic_notes(recording)) is not None:
        return HeardMusic(notes, "any", "basic-pitch, decoded by logistic regression", 0.0, [*warnings, SEVERAL])
    if instrument == "any" and several is None:
        warnings.append(NO_NETWORK)
    elif is_several:
        warnings.append(ONE_VOICE_OF_SEVERAL)
    return _one_voice(recording, "voice" if instrument == "voice" else "mono", warnings)


def _piano(recording: Recording, path: Path, is_high_quality: bool, report: Callable[[float], None]) -> HeardMusic:
    warnings = [] if is_high_quality else [QUICK_PIANO]
    if is_high_quality:
        played = transcribe_piano_file(path, report)
        if played is not None:
            return HeardMusic(sorted(played.notes), "piano", "transkun", 0.0, [])
        warnings.append(NO_PIANO_MODEL)
    notes = polyphonic_notes(recording)
    if notes is None:
        return _one_voice(recording, "piano", [*warnings, NO_NETWORK])
    return HeardMusic(notes, "piano", "basic-pitch, decoded by logistic regression", 0.0, warnings)


def _one_voice(recording: Recording, heard_as: HeardAs, warnings: list[str]) -> HeardMusic:
    voice = find_notes(recording)
    steady = [voice.without_drift(note) for note in voice.notes]
    notes = [note._replace(pitch=float(round(note.pitch - voice.tuning))) for note in steady]
    return HeardMusic(notes, heard_as, voice.track.method, voice.tuning, warnings)
