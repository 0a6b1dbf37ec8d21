"""Find the notes of one voice.

1. `pitch_track` hears pitch, voicing and level every 16 ms.
2. A first guess of the tuning is the circular mean of the steady pitches; the notes make it exact later.
3. `note_path` chooses the most likely notes; frames of one semitone in a row are one segment.
4. `note_starts` places the start of each segment, and `repeats` cuts it where the same pitch is played again.
5. The pitch of a note is the mean over its frames, weighted by a Hann window: vibrato and glides do not count.
6. `note_evidence` gives each segment the probability to be a note; unlikely ones are dropped. Where the pitch never
   rests, as in speech, all of them are.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.note_evidence import note_features, probability
from consort_audio.analysis.pitch.note_path import SILENCE, note_path
from consort_audio.analysis.pitch.note_starts import Segment, place_starts, segments_of
from consort_audio.analysis.pitch.pitch_track import FRAME_S, PitchTrack, track_pitch
from consort_audio.analysis.pitch.repeats import cut_at_repeats
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording

SHORTEST_S = 0.06
"""Shorter sounds are no notes."""
LEAST_CHANCE = 0.4
"""Less likely segments are no notes."""
GLIDE = 0.45
"""In semitones."""
FEWEST_GLIDES = 4
VIBRATO = 11
"""In frames: about one period of vibrato."""


@dataclass(frozen=True)
class OneVoice:
    notes: list[PlayedNote]
    track: PitchTrack
    pitch: NDArray[np.float32]
    """The pitch of each frame of the track as a MIDI number with a fraction, 0 where there is no note."""
    tuning: float
    """In semitones from A4 = 440 Hz: 0.2 is 20 cents sharp."""


def find_notes(recording: Recording) -> OneVoice:
    """Return the notes of one voice, the pitch of every frame, and the tuning. Computed once."""
    return recording.feature("notes of one voice", _find)


def _find(recording: Recording) -> OneVoice:
    track = track_pitch(recording)
    tuning = _tuning(track)
    path = note_path(track, tuning)
    segments = segments_of(path)
    place_starts(recording, segments, tuning)
    segments = [part for segment in segments for part in cut_at_repeats(recording, segment, tuning)]
    pitch = _frame_pitch(track, path, segments, tuning)
    notes = _notes(segments, track, pitch)
    return OneVoice(notes, track, pitch, _tuning_of_notes(notes, tuning))


def _tuning(track: PitchTrack) -> float:
    """Return a first guess of the tuning in semitones, from -0.5 to 0.5.

    It is the circular mean of the pitch, which is averaged over 0.18 s (a period of vibrato) where it is steady.
    """
    uses_model = bool(track.model_weight.any())
    pitch, weight = (track.model, track.model_weight) if uses_model else (track.yin, track.yin_weight)
    if len(pitch) < VIBRATO:
        return 0.0
    around = np.lib.stride_tricks.sliding_window_view(pitch, VIBRATO)
    steady = np.ptp(around, axis=1) < 1.5
    least = np.lib.stride_tricks.sliding_window_view(weight, VIBRATO).min(axis=1)
    used = np.where(steady & (least > 0.5), least, 0)
    total = np.sum(used * np.exp(2j * np.pi * around.mean(axis=1)))
    return float(np.angle(total) / (2 * np.pi)) if abs(total) > 1e-6 else 0.0


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


def _frame_pitch(
    track: PitchTrack, path: NDArray[np.intp], segments: list[Segment], tuning: float
) -> NDArray[np.float32]:
    """Return the pitch of each frame: the opinion that is nearer to its note, within 1.5 semitones, else the note."""
    semitone = np.full(len(path), SILENCE)
    for segment in segments:
        semitone[round(segment.start_s / FRAME_S) : round(segment.end_s / FRAME_S)] = segment.semitone
    centre = semitone + tuning
    model_off = np.where(track.model_weight > 0, np.abs(track.model - centre), 99)
    yin_off = np.where(track.yin_weight > 0, np.abs(track.yin - centre), 99)
    nearest = np.where(model_off <= yin_off, track.model, track.yin)
    pitch = np.where(np.minimum(model_off, yin_off) < 1.5, nearest, centre)
    return np.where(semitone == SILENCE, 0, pitch).astype(np.float32)


def _notes(segments: list[Segment], track: PitchTrack, pitch: NDArray[np.float32]) -> list[PlayedNote]:
    """Return the segments that are likely notes."""
    loudest = float(np.percentile(track.level, 99)) if len(track.level) else 0.0
    trust = _trust(segments, pitch)
    notes: list[PlayedNote] = []
    before: Segment | None = None
    for segment in segments:
        chance = trust * probability(note_features(segment, before, track, pitch, loudest))
        before = segment
        if segment.end_s - segment.start_s < SHORTEST_S or chance < LEAST_CHANCE:
            if segment.is_repeat and notes and notes[-1].end == segment.start_s:
                notes[-1] = notes[-1]._replace(end=segment.end_s)  # the note before goes on
            continue
        frames = slice(segment.first, max(segment.end, segment.first + 1))
        velocity = _velocity(float(track.level[frames].max()))
        mean = _mean_pitch(pitch[frames])
        notes.append(PlayedNote(segment.start_s, segment.end_s, mean, round(min(chance, 0.99), 3), velocity))
    return notes


def _trust(segments: list[Segment], pitch: NDArray[np.float32]) -> float:
    """Return a factor for all confidences: 1 for music, less for speech, whose pitch never rests.

    A segment glides if the means of its first and last third differ by 0.45 semitones. The factor falls from 1 to 0.2
    where 30 to 50% of the sound glides.
    """
    lengths, glides = [], []
    for segment in segments:
        heard = pitch[segment.first + 1 : segment.end - 1]
        if len(heard) >= 4:
            third = max(len(heard) // 3, 1)
            lengths.append(len(heard))
            glides.append(abs(float(heard[-third:].mean() - heard[:third].mean())) > GLIDE)
    if len(lengths) < FEWEST_GLIDES:
        return 1.0
    share = float(np.average(glides, weights=lengths))
    return float(np.interp(share, (0.3, 0.5), (1.0, 0.2)))


def _mean_pitch(heard: NDArray[np.float32]) -> float:
    """Return the mean weighted by a Hann window, which removes vibrato and the glides at both ends."""
    weight = np.hanning(len(heard) + 2)[1:-1]
    weight *= np.abs(heard - np.median(heard)) < 1
    return float(np.average(heard, weights=weight)) if weight.sum() > 0 else float(np.median(heard))


def _velocity(level: float) -> int:
    """Return a MIDI velocity for a level in dB below full scale: 100 at -12 dB, 2 less per dB below."""
    return int(np.clip(round(124 + 2 * level), 1, 127))
