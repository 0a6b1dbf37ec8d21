"""Look again in the sound for expected notes that were not found, or that seem late.

A pitch is salient between two times if its partials carry more than those of its neighbours: the sum over the first
partials h of sqrt(power at h f0) / h, each above the level around it. An expected note that is salient when it was due
is there, even if the pitch tracker did not hear it. It gets no other start than the time at which it was due. A string
that was struck before rings on, so on a plucked instrument something must also be struck when the note was due.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.track.pitch_track import to_hz
from consort_audio.comparison.align.alignment import Alignment
from consort_audio.comparison.align.note_pairs import PlayedPass
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.take.one_voice.evidence.take_evidence import TakeEvidence
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, Recording

_SIZE = 8192
_PARTIALS = 6
_NEIGHBOURS = (-7, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 7)
_BEATS_OTHERS = 0.95
_BEATS_RINGING, _BEATS_RINGING_SOFTLY = 0.5, 0.3
"""How salient a pitch must be beside one that may still ring. The second value is for notes that swell, and for a pitch
whose partials rise when it begins."""
_BEATS_OCTAVE = 0.62
"""The partials of a note an octave higher give a pitch half of their salience."""
_LEAST_PERIODS = 2.4
"""A piece separates two pitches if it has this many periods of their difference. The main lobe of a Hann window is
two periods wide on each side."""
_SHARE_PARTIALS = (5, 7, 12)
"""Semitones between pitches that share many partials: fourth, fifth and octave."""
_FAR_SEMITONES = 12
_MOST_BEYOND = 3
"""So many notes before the first and after the last one that was found are looked for, too."""
_RINGS_S = 0.6
_LOUD_DB, _CLEARLY = 6.0, 0.7
_QUIET_DB = 20.0
_LATE_S = 0.08
_LATEST_S = 0.5
_LEAST_S = 0.05
_HIDES_S = 0.05
"""A note that nobody expects and that sounds while a late one should have begun is heard in its place."""
_STRIKE_S = 0.08


def look_again(
    recording: Recording, music: ExpectedMusic, alignment: Alignment, evidence: TakeEvidence
) -> list[PlayedNote]:
    """Return the notes of the take, with those that were overlooked."""
    notes = list(alignment.played)
    usual = _usual_level(alignment, evidence)
    shift = alignment.tuning + alignment.semitones
    added: list[PlayedNote] = []
    gone: set[int] = set()
    for each in alignment.passes:
        paired = {pair.expected: pair.played for pair in each.pairs}
        for index in _places(music, alignment, each):
            note = music.notes[index]
            due, end = each.expected_time(note.start), each.expected_time(note.end)
            played = paired.get(index)
            pitch = note.pitch + shift
            ringing = _ringing(alignment.played, due)
            if evidence.is_plucked and evidence.strike(pitch, due - _STRIKE_S, due + _STRIKE_S) is None:
                continue
            until = due + 0.75 * (end - due)
            if played is None:
                if is_there(recording, evidence, due + 0.02, until, pitch, usual, ringing) or (
                    each.first <= index <= each.last and _is_hidden(evidence, due, end, ringing, usual)
                ):
                    added.append(PlayedNote(due, end, pitch, 0.5))
                continue
            start = notes[played].start
            if alignment.pitches[played] != note.pitch:
                others = _heard_instead(alignment, played, note.pitch)
                if others and is_there(recording, evidence, due + 0.02, until, pitch, usual, [*ringing, *others]):
                    notes[played] = notes[played]._replace(pitch=pitch)
                continue
            is_late = _LATE_S < start - due < _LATEST_S
            if is_late and is_there(recording, evidence, due + 0.02, start - 0.01, pitch, usual, ringing):
                notes[played] = notes[played]._replace(start=due)
                gone.update(_unpaired_inside(alignment, due - _HIDES_S, start + _HIDES_S))
    return _insert([note for index, note in enumerate(notes) if index not in gone], added, evidence)


def _places(music: ExpectedMusic, alignment: Alignment, each: PlayedPass) -> list[int]:
    """Return the expected notes of a pass, and those shortly before and after it that are in no pass."""
    found = {pair.expected for other in alignment.passes for pair in other.pairs}
    first, last = max(each.first - _MOST_BEYOND, 0), min(each.last + _MOST_BEYOND, len(music.notes) - 1)
    return [
        index
        for index in range(first, last + 1)
        if each.first <= index <= each.last or (index not in found and each.expected_time(music.notes[index].start) > 0)
    ]


def _unpaired_inside(alignment: Alignment, start: float, end: float) -> list[int]:
    paired = {pair.played for each in alignment.passes for pair in each.pairs}
    return [
        index
        for index, note in enumerate(alignment.played)
        if index not in paired and start <= note.start and note.end <= end
    ]


def _heard_instead(alignment: Alignment, played: int, expected: int) -> list[float]:
    """Return the pitch of a note that may have been heard in place of the expected one.

    It is that of a neighbour, which goes on, or far away: a partial, or the common fundamental of strings that ring.
    """
    pitch = alignment.pitches[played]
    beside = alignment.pitches[max(played - 1, 0) : played] + alignment.pitches[played + 1 : played + 2]
    is_far = abs(pitch - expected) > _FAR_SEMITONES
    return [alignment.played[played].pitch] if pitch in beside or is_far else []


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
        hertz = to_hz(pitch)
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


def is_there(
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
    ringing = [each for each in ringing if abs(each - pitch) >= 0.7]
    quiet = [pitch + away for away in _NEIGHBOURS if not _may_sound(pitch + away, ringing)]
    octave = [] if _may_sound(pitch + 12, ringing) else [pitch + 12]
    values = salience(recording, start, end, [pitch, *octave, *quiet, *ringing])
    found, higher, rest = values[0], values[1 : 1 + len(octave)], values[1 + len(octave) :]
    silent, loudest = rest[: len(quiet)].max(initial=0.0), rest[len(quiet) :].max(initial=0.0)
    if found <= 0 or found < max(_BEATS_OTHERS * silent, _BEATS_OCTAVE * higher.max(initial=0.0)):
        return False
    if found >= _BEATS_RINGING * loudest:
        return True
    may_be_softer = found >= _BEATS_RINGING_SOFTLY * loudest and _is_resolved(pitch, ringing, end - start)
    return may_be_softer and (evidence.swells or evidence.begins(pitch, start))


def _is_resolved(pitch: float, ringing: Sequence[float], seconds: float) -> bool:
    """Return whether a piece of this length is long enough to tell a pitch from those that ring."""
    return all(abs(to_hz(pitch) - to_hz(each)) * seconds >= _LEAST_PERIODS for each in ringing)


def _may_sound(pitch: float, ringing: Sequence[float]) -> bool:
    """Return whether a pitch rings, or shares half of its partials with one that does."""
    away = [abs(pitch - each) for each in ringing]
    return any(each < 0.7 or abs(each - shared) < 0.7 for each in away for shared in _SHARE_PARTIALS)


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
