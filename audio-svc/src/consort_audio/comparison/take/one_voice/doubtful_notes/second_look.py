"""Look again in the sound for expected notes that were not found, or that seem late.

A pitch is salient between two times if its partials carry more than those of its neighbours: the sum over the first
partials h of sqrt(power at h f0) / h, each above the level around it. An expected note that is salient when it was due
is there, even if the pitch tracker did not hear it. It gets no other start than the time at which it was due. A string
that was struck before rings on, so on a plucked instrument something must also be struck when the note was due.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from consort_audio.comparison.align.alignment import Alignment
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.take.one_voice.evidence.take_evidence import TakeEvidence
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, Recording

_SIZE = 8192
_PARTIALS = 6
_NEIGHBOURS = (-7, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 7)
_BEATS_OTHERS = 0.95
_BEATS_RINGING = 0.5
_RINGS_S = 0.6
_LOUD_DB, _CLEARLY = 6.0, 0.7
_QUIET_DB = 20.0
_LATE_S = 0.08
_LATEST_S = 0.5
_LEAST_S = 0.05
_STRIKE_S = 0.08


def look_again(
    recording: Recording, music: ExpectedMusic, alignment: Alignment, evidence: TakeEvidence
) -> list[PlayedNote]:
    """Return the notes of the take, with those that were overlooked."""
    notes = list(alignment.played)
    usual = _usual_level(alignment, evidence)
    shift = alignment.tuning + alignment.semitones
    added: list[PlayedNote] = []
    for each in alignment.passes:
        paired = {pair.expected: pair.played for pair in each.pairs}
        for index in range(each.first, each.last + 1):
            note = music.notes[index]
            due, end = each.expected_time(note.start), each.expected_time(note.end)
            played = paired.get(index)
            pitch = note.pitch + shift
            ringing = [] if evidence.is_plucked else _ringing(alignment.played, due)
            if evidence.is_plucked and evidence.strike(pitch, due - _STRIKE_S, due + _STRIKE_S) is None:
                continue
            if played is None:
                if _is_there(
                    recording, evidence, due + 0.02, due + 0.75 * (end - due), pitch, usual, ringing
                ) or _is_hidden(evidence, due, end, ringing, usual):
                    added.append(PlayedNote(due, end, pitch, 0.5))
                continue
            start = notes[played].start
            is_late = alignment.pitches[played] == note.pitch and _LATE_S < start - due < _LATEST_S
            if is_late and _is_there(recording, evidence, due + 0.02, start - 0.01, pitch, usual, ringing):
                notes[played] = notes[played]._replace(start=due)
    return _insert(notes, added, evidence)


def _is_hidden(evidence: TakeEvidence, due: float, end: float, ringing: Sequence[float], usual: float) -> bool:
    """Return whether something sounds when a note was due, and it is not clear what.

    Slow attacks in the sound of the notes before, as of a choir, cannot be told apart. A note that was left out leaves
    silence, or the note before goes on clearly.
    """
    middle = (due + end) / 2
    if evidence.is_plucked or evidence.lowest_level(middle, end - 0.02) < usual - _LOUD_DB:
        return False
    return all(evidence.sounding_share(due, end, pitch) < _CLEARLY for pitch in ringing)


def _ringing(notes: Sequence[PlayedNote], time: float) -> list[float]:
    """Return the pitches of notes that began before a time and ended at most a little before it."""
    return [note.pitch for note in notes if note.start < time - 0.03 and note.end > time - _RINGS_S]


def salience(recording: Recording, start: float, end: float, pitches: Sequence[float]) -> NDArray[np.float64]:
    """Return how salient each pitch (MIDI number) is between two times."""
    piece = recording.samples[max(round(start * RATE), 0) : round(end * RATE)][:_SIZE]
    if len(piece) < 256:
        return np.zeros(len(pitches))
    spectrum = np.abs(np.fft.rfft(piece * np.hanning(len(piece)), _SIZE))
    width = max(_SIZE // len(piece), 2)
    found = []
    for pitch in pitches:
        hertz = 440 * 2 ** ((pitch - 69) / 12)
        total = 0.0
        for number in range(1, _PARTIALS + 1):
            place = hertz * number * _SIZE / RATE
            if place >= len(spectrum) - width:
                break
            reach = max(width // 2, int(place * 0.012), 1)
            centre = spectrum[max(int(place) - reach, 0) : int(place) + reach + 2].max(initial=0.0)
            around = spectrum[max(int(place * 0.94), 0) : int(place * 1.06) + 2]
            total += max(float(centre) - float(np.median(around)), 0.0) / number
        found.append(total)
    return np.array(found)


def _is_there(
    recording: Recording,
    evidence: TakeEvidence,
    start: float,
    end: float,
    pitch: float,
    usual: float,
    ringing: Sequence[float] = (),
) -> bool:
    """Return whether a pitch is salient. Pitches that may still ring are allowed to be up to twice as salient."""
    if end - start < _LEAST_S or end > recording.duration or evidence.level(start, end) < usual - _QUIET_DB:
        return False
    others = [pitch + away for away in _NEIGHBOURS]
    ringing = [each for each in ringing if abs(each - pitch) >= 0.7]
    quiet = [each for each in others if all(abs(each - other) >= 0.7 for other in ringing)]
    values = salience(recording, start, end, [pitch, *quiet, *ringing])
    found, silent, loud = values[0], values[1 : 1 + len(quiet)], values[1 + len(quiet) :]
    return bool(
        found > 0
        and found >= _BEATS_OTHERS * silent.max(initial=0.0)
        and found >= _BEATS_RINGING * loud.max(initial=0.0)
    )


def _usual_level(alignment: Alignment, evidence: TakeEvidence) -> float:
    paired = [alignment.played[pair.played] for each in alignment.passes for pair in each.pairs]
    levels = sorted(evidence.level(note.start, note.end) for note in paired)
    return levels[len(levels) // 2] if levels else 0.0


def _insert(notes: Sequence[PlayedNote], added: Sequence[PlayedNote], evidence: TakeEvidence) -> list[PlayedNote]:
    """Add notes, and cut those that sound at the same time."""
    found = list(notes)
    for new in added:
        kept: list[PlayedNote] = []
        for note in found:
            if note.end <= new.start + 0.02 or note.start >= new.end - 0.02:
                kept.append(note)
                continue
            if new.start - note.start >= _LEAST_S:
                cut = note._replace(end=new.start)
                kept.append(cut._replace(end=evidence.sound_end(cut)))
            if note.end - new.end >= 2 * _LEAST_S:
                kept.append(note._replace(start=new.end))
        found = sorted([*kept, new])
    return sorted(found)
