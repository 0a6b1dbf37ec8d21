"""Find the notes of one voice.

1. `pitch_track` hears pitch, voicing and level every 16 ms.
2. `tuning_drift` guesses the tuning and its drift from the steady pitches; the notes make the tuning exact later.
3. `note_path` chooses the most likely notes; frames of one semitone in a row are one segment.
4. `note_starts` places the start of each segment, and `repeats` cuts it where the same pitch is played again.
5. The pitch of a note is the mean over its frames, weighted by a Hann window: vibrato and glides do not count.
6. `note_evidence` gives each segment the probability to be a note; unlikely ones are dropped. Where the pitch never
   rests, as in speech, or percussion is most of the sound, all of them are (`music_evidence`).
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.notes.music_evidence import music_trust
from consort_audio.analysis.pitch.notes.note_evidence import note_features, probability
from consort_audio.analysis.pitch.notes.note_path import note_path
from consort_audio.analysis.pitch.notes.note_starts import Segment, place_starts, segments_of
from consort_audio.analysis.pitch.notes.repeats import cut_at_repeats
from consort_audio.analysis.pitch.track.pitch_track import FRAME_S, PitchTrack, track_pitch
from consort_audio.analysis.pitch.track.tuning_drift import TuningLine, tuning_line
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording

SHORTEST_S = 0.06
"""Shorter sounds are no notes."""
LEAST_CHANCE = 0.35
"""Less likely segments are no notes."""


@dataclass(frozen=True)
class OneVoice:
    notes: list[PlayedNote]
    notes_if_music: list[PlayedNote]
    """The notes of a recording that is known to be music, where `notes` may have taken it for speech or drums."""
    track: PitchTrack
    pitch: NDArray[np.float32]
    """The pitch of each frame of the track as a MIDI number with a fraction, 0 where there is no note."""
    tuning: float
    """In semitones from A4 = 440 Hz: 0.2 is 20 cents sharp. If it drifts: at the start."""
    line: TuningLine

    def without_drift(self, note: PlayedNote) -> PlayedNote:
        """Return a note with the pitch that it would have if the tuning stayed."""
        return note._replace(pitch=note.pitch - self.line.drifted((note.start + note.end) / 2))


class HeardSegments(NamedTuple):
    segments: list[Segment]
    track: PitchTrack
    pitch: NDArray[np.float32]
    """Of each frame, as in OneVoice."""
    tuning: TuningLine


def find_notes(recording: Recording) -> OneVoice:
    """Return the notes of one voice, the pitch of every frame, and the tuning. Computed once."""
    return recording.feature("notes of one voice", _find)


def _find(recording: Recording) -> OneVoice:
    heard = hear_segments(recording)
    trust = music_trust(recording, heard.segments, heard.track, heard.pitch, heard.tuning)
    notes_if_music = _notes(heard, 1.0)
    notes = notes_if_music if trust == 1 else _notes(heard, trust)
    voice = OneVoice(notes, notes_if_music, heard.track, heard.pitch, heard.tuning.start, heard.tuning)
    steady = [voice.without_drift(note) for note in notes]
    return replace(voice, tuning=_tuning_of_notes(steady, heard.tuning.start))


def hear_segments(recording: Recording) -> HeardSegments:
    """Return what may be notes, before it is judged."""
    track = track_pitch(recording)
    tuning = tuning_line(track)
    segments = segments_of(note_path(track, tuning), tuning)
    place_starts(recording, segments)
    segments = [part for segment in segments for part in cut_at_repeats(recording, segment)]
    return HeardSegments(segments, track, _frame_pitch(track, segments), tuning)


def _tuning_of_notes(notes: list[PlayedNote], first_guess: float) -> float:
    """Return the tuning by the notes: the mean of their deviations near the first guess, by squared duration.

    Short notes count little: they consist of the glide into the note, or of half a period of vibrato.
    """
    if not notes:
        return 0.0
    pitch = np.array([note.pitch for note in notes])
    weight = np.array([min(note.end - note.start, 1.0) ** 2 * note.confidence for note in notes])
    deviation = (pitch - first_guess + 0.5) % 1 - 0.5
    near = np.abs(deviation) < 0.3
    if not weight[near].sum() > 0:
        return first_guess
    tuning = first_guess + float(np.average(deviation[near], weights=weight[near]))
    return (tuning + 0.5) % 1 - 0.5


def _frame_pitch(track: PitchTrack, segments: list[Segment]) -> NDArray[np.float32]:
    """Return the pitch of each frame: the opinion that is nearer to its note, within 1.5 semitones, else the note."""
    centre = np.zeros(len(track.level), np.float32)
    for segment in segments:
        centre[round(segment.start_s / FRAME_S) : round(segment.end_s / FRAME_S)] = segment.pitch
    model_off = np.where(track.model_weight > 0, np.abs(track.model - centre), 99)
    yin_off = np.where(track.yin_weight > 0, np.abs(track.yin - centre), 99)
    nearest = np.where(model_off <= yin_off, track.model, track.yin)
    pitch = np.where(np.minimum(model_off, yin_off) < 1.5, nearest, centre)
    return np.where(centre > 0, pitch, 0).astype(np.float32)


def _notes(heard: HeardSegments, trust: float) -> list[PlayedNote]:
    """Return the segments that are likely notes. `trust` is a factor for how likely they are."""
    track, pitch = heard.track, heard.pitch
    loudest = float(np.percentile(track.level, 99)) if len(track.level) else 0.0
    notes: list[PlayedNote] = []
    for segment in heard.segments:
        chance = trust * probability(note_features(segment, track, pitch, loudest))
        if segment.end_s - segment.start_s < SHORTEST_S or chance < LEAST_CHANCE:
            if segment.is_repeat and notes and notes[-1].end == segment.start_s:
                notes[-1] = notes[-1]._replace(end=segment.end_s)  # the note before goes on
            continue
        frames = slice(segment.first, max(segment.end, segment.first + 1))
        velocity = _velocity(float(track.level[frames].max()))
        mean = mean_pitch(pitch[frames])
        notes.append(PlayedNote(segment.start_s, segment.end_s, mean, round(min(chance, 0.99), 3), velocity))
    return notes


def mean_pitch(heard: NDArray[np.float32]) -> float:
    """Return the mean weighted by a Hann window, which removes vibrato and the glides at both ends."""
    weight = np.hanning(len(heard) + 2)[1:-1]
    weight *= np.abs(heard - np.median(heard)) < 1
    return float(np.average(heard, weights=weight)) if weight.sum() > 0 else float(np.median(heard))


def _velocity(level: float) -> int:
    """Return a MIDI velocity for a level in dB below full scale: 100 at -12 dB, 2 less per dB below."""
    return int(np.clip(round(124 + 2 * level), 1, 127))
