"""How clearly a note begins at a moment, and whether a pitch sounds."""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.track.pitch_track import FRAME_S, track_pitch
from consort_audio.comparison.take.one_voice.evidence.strikes import STRUCK_DB, strongest_strike
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND, onset_strength
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording

_PLUCKED = 0.17
"""From this onset strength at changes of pitch on, the instrument has hard attacks."""
_SWELLS = 0.1
"""Below this onset strength at changes of pitch, notes swell: those of voices, strings and flutes."""
_FALLS_DB_S, _FALLING_SHARE = 2.0, 0.55
"""An instrument rings if so many of its notes fall by so much in both of their halves. Blown ones fall at first."""
_LET_GO_DB = 12.0
"""A held note does not fall by so much below its highest level, apart from the usual decay."""
_BEND_S, _BEND_LEAST_S, _BEND_DB, _BEND_FACTOR = 0.12, 0.05, 10.0, 2.0
_FALLEN_DB = 3.0
_USUAL_FACTOR = 1.3
_LAST_FRAMES = 8
_MOVED_SEMITONES = 0.7
_NEAR_SEMITONES = 0.7
_FEWEST_FRAMES = 6
_CLEAR_STRIKE = 0.4
_CLEAR_RISE_DB, _AROUND_S = 10.0, 0.06


class _Slope(NamedTuple):
    """By how many dB a second the level falls in the first and in the second half of a note, and in all of it."""

    early: float
    late: float
    mean: float


def _slope(level: NDArray[np.floating]) -> float:
    times = np.arange(len(level)) / FRAMES_PER_SECOND
    return -float(np.polyfit(times, level, 1)[0])


class Beginning(NamedTuple):
    time: float
    strength: float
    """The onset strength, relative to that of notes that begin with a change of pitch."""
    dip_db: float
    """By how much the level falls below that of both sides."""

    @property
    def clarity(self) -> float:
        """1 is a note that clearly begins here."""
        return max(self.strength, 0.0) + max(self.dip_db, 0.0) / 5


class TakeEvidence:
    def __init__(
        self, recording: Recording, notes: Sequence[PlayedNote], parts: Sequence[PlayedNote] | None = None
    ) -> None:
        """`notes` are notes of the take, as far as they are certain, and `parts` what they were heard as."""
        strength = onset_strength(recording)
        self._recording = recording
        self._rise = strength.rise
        self._level = 20 * np.log10(strength.level + 1e-6)
        self._track = track_pitch(recording)
        heights = [self._highest(note.start - 0.05, note.start + 0.05) for note in notes]
        self.usual_rise = max(float(np.median(heights)) if heights else 0.0, 0.02)
        slopes = self._slopes(notes if parts is None else parts)
        self.decay = float(np.median([slope.mean for slope in slopes])) if slopes else 0.0
        """By how many dB a second the level of held notes falls, the median."""
        falling = sum(min(slope.early, slope.late) >= _FALLS_DB_S for slope in slopes)
        self.swells = self.usual_rise < _SWELLS
        self.is_plucked = self.usual_rise >= _PLUCKED and falling > _FALLING_SHARE * len(slopes)

    def _slopes(self, notes: Sequence[PlayedNote]) -> list[_Slope]:
        """Return by how many dB a second each note falls, apart from its attack and its end."""
        found = []
        for note in notes:
            level = self._level[self._span(note.start + 0.05, note.start + 0.8 * (note.end - note.start))]
            half = len(level) // 2
            if half >= _FEWEST_FRAMES:
                found.append(_Slope(_slope(level[:half]), _slope(level[half:]), _slope(level)))
        return found

    def _span(self, start: float, end: float) -> slice:
        first = min(max(round(start * FRAMES_PER_SECOND), 0), len(self._rise) - 1)
        return slice(first, max(min(round(end * FRAMES_PER_SECOND), len(self._rise)), first + 1))

    def _highest(self, start: float, end: float) -> float:
        return float(self._rise[self._span(start, end)].max())

    def level(self, start: float, end: float) -> float:
        """Return the loudest level between two times, in dB below full scale."""
        return float(self._level[self._span(start, end)].max())

    def lowest_level(self, start: float, end: float) -> float:
        """Return the lowest level between two times, in dB below full scale."""
        return float(self._level[self._span(start, end)].min())

    def beginnings(self, start: float, end: float) -> list[Beginning]:
        """Return the peaks of the onset strength between two times."""
        span = self._span(start, end)
        rise = self._rise[span]
        if len(rise) < 3:
            return []
        inner = np.flatnonzero((rise[1:-1] >= rise[:-2]) & (rise[1:-1] > rise[2:])) + 1
        found = []
        for place in inner:
            time = (span.start + int(place)) / FRAMES_PER_SECOND
            strength = float(rise[place]) / self.usual_rise
            found.append(Beginning(time, strength, self.dip(time)))
        return found

    def strike(self, pitch: float, first: float, last: float) -> float | None:
        """Return when a plucked instrument strikes something between two times, if only softly at this pitch."""
        struck = max(self.beginnings(first, last), key=lambda each: each.strength, default=None)
        if struck is not None and struck.strength >= _CLEAR_STRIKE:
            return struck.time
        own = strongest_strike(self._recording, pitch, first, last)
        return own.time if own.rise_db >= STRUCK_DB else None

    def begins(self, pitch: float, time: float) -> bool:
        """Return whether the partials of a pitch (MIDI number) rise clearly around a time."""
        around = strongest_strike(self._recording, pitch, time - _AROUND_S, time + _AROUND_S)
        return around.rise_db >= _CLEAR_RISE_DB

    def dip(self, time: float) -> float:
        """Return by how many dB the level around a time falls below the level before and after."""
        before = median(self._level[self._span(time - 0.2, time - 0.07)].tolist())
        after = median(self._level[self._span(time + 0.07, time + 0.2)].tolist())
        lowest = float(self._level[self._span(time - 0.07, time + 0.03)].min())
        return float(min(before, after) - lowest)

    def sound_end(self, note: PlayedNote) -> float:
        """Return when a note ends, at most at its end: the pitch of the room and of a slow release sound longer."""
        bend = self._bend(note)
        return bend if self.is_plucked else min(bend, self._far_fall(note))

    def _far_fall(self, note: PlayedNote) -> float:
        """Return when the level of a held note falls far below what the usual decay explains."""
        span = self._span(note.start + 0.03, note.end)
        level = self._level[span]
        if len(level) < 6:
            return note.end
        held = level[: max(len(level) // 2, 6)]
        top = int(np.argmax(held))
        times = np.arange(len(level)) / FRAMES_PER_SECOND
        line = level[top] - max(self.decay, 0.0) * np.maximum(times - times[top], 0) - _LET_GO_DB
        loud = np.flatnonzero(level >= line)
        last = (span.start + int(loud[-1]) + 1) / FRAMES_PER_SECOND if len(loud) else note.end
        return max(min(last, note.end), note.start + 0.05)

    def _bend(self, note: PlayedNote) -> float:
        """Return where the level begins to fall much faster than before, and stays low; the end if it never does.

        Strings that ring fall steadily, fast or slowly; a note that is let go or damped has a bend there.
        """
        span = self._span(note.start + 0.03, note.end)
        level = self._level[span]
        width = round(_BEND_S * FRAMES_PER_SECOND)
        if len(level) <= 2 * width:
            return note.end
        top = int(np.argmax(level[: max(len(level) // 2, width)]))
        usual = max(self.decay, 0.0) * _BEND_S if self.is_plucked else 0.0
        for place in range(top + round(_BEND_LEAST_S * FRAMES_PER_SECOND), len(level) - width):
            back = min(place - top, width)
            before = max(float(level[place - back] - level[place]) * width / back, usual)
            after = float(level[place] - level[place + width])
            stays_low = float(level[place + width :].max()) < level[place] - _BEND_DB / 2
            if after >= max(_BEND_DB, _BEND_FACTOR * before) and stays_low:
                fallen = int(np.argmax(level[place:] < level[place] - _FALLEN_DB))
                return float((span.start + place + fallen) / FRAMES_PER_SECOND)
        return note.end

    def fades(self, note: PlayedNote) -> bool:
        """Return whether the note of an instrument that rings is lost because it fades: nothing damps it at its end."""
        before = float(self._level[self._span(note.end - _BEND_LEAST_S, note.end)].max())
        after = float(self._level[self._span(note.end + _BEND_LEAST_S, note.end + _BEND_S)].min())
        usual = max(self.decay, 0.0) * _BEND_S
        return self._bend(note) == note.end and before - after < max(_BEND_DB, _BEND_FACTOR * usual)

    def holds(self, note: PlayedNote, until: float) -> bool:
        """Return whether the level at a later time is what the usual decay explains from the top of the note on."""
        level = self._level[self._span(note.start, until)]
        top = int(np.argmax(level))
        seconds = (len(level) - top) / FRAMES_PER_SECOND
        last = float(np.median(level[-_LAST_FRAMES:]))
        return last >= float(level[top]) - _USUAL_FACTOR * max(self.decay, 0.0) * seconds - _LET_GO_DB

    def moves_towards(self, note: PlayedNote, pitch: float) -> bool:
        """Return whether the pitch of a note moves clearly towards another one from its first to its last third."""
        first, last = round(note.start / FRAME_S), round(note.end / FRAME_S)
        third = max((last - first) // 3, 1)
        track = self._track
        heard = np.where(track.model_weight > 0.4, track.model, track.yin)
        begin, end = (float(np.median(part)) for part in (heard[first : first + third], heard[last - third : last]))
        return abs(begin - pitch) - abs(end - pitch) > _MOVED_SEMITONES

    def fall(self, start: float, end: float) -> float:
        """Return by how many dB the level falls between two notes that end and start at these times."""
        before, after = self.level(start - 0.15, start), self.level(end, end + 0.15)
        return min(before, after) - float(self._level[self._span(start, end + 0.02)].min())

    def sounding_share(self, start: float, end: float, pitch: float) -> float:
        """Return in which share of the frames between two times this pitch (MIDI number) is heard, from 0 to 1."""
        first, last = round(start / FRAME_S), round(end / FRAME_S)
        span = slice(max(first, 0), max(last, first + 1))
        track = self._track
        model = (np.abs(track.model[span] - pitch) < _NEAR_SEMITONES) & (track.model_weight[span] > 0.4)
        yin = (np.abs(track.yin[span] - pitch) < _NEAR_SEMITONES) & (track.yin_weight[span] > 0.4)
        heard = (model | yin) & track.sounding[span]
        return float(heard.mean()) if len(heard) else 0.0
