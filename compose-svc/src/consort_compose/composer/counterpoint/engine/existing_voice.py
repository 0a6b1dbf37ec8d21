"""Look up notes, bars and chords of the existing voice by time."""

from bisect import bisect_right
from fractions import Fraction

from consort_compose.composer.counterpoint.engine.note_slot import NoteSlot, SlotEntry
from consort_compose.composer.counterpoint.engine.task_and_result import CounterpointTask
from consort_compose.composer.counterpoint.spelled_tones import VoiceNote, note_at, note_until, tones_of_chord
from consort_music.bars import Bar
from consort_music.chords.timed_chords import ChordSpan
from consort_music.metre import STRONG


class ExistingVoice:
    def __init__(self, task: CounterpointTask) -> None:
        self.notes = list(task.existing)
        self.bars = list(task.bars)
        self._onsets = [note.onset for note in self.notes]
        self._bar_starts = [bar.start for bar in self.bars]
        self._chords = list(task.chords)
        self._chord_onsets = [chord.start for chord in self._chords]

    def at(self, time: Fraction) -> VoiceNote | None:
        """Return the note that sounds at a time, or None."""
        return note_at(self.notes, time)

    def just_before(self, time: Fraction) -> VoiceNote | None:
        """Return the note that begins before `time` and ends at `time` or later, or None."""
        return note_until(self.notes, time)

    def beginning_within(self, start: Fraction, end: Fraction) -> list[VoiceNote]:
        """Return the notes that begin after `start` and before `end`."""
        found = []
        for index in range(bisect_right(self._onsets, start), len(self.notes)):
            if self._onsets[index] >= end:
                break
            found.append(self.notes[index])
        return found

    def beginning_from(self, start: Fraction, end: Fraction) -> list[VoiceNote]:
        """Return the notes that begin at `start` or later, and before `end`."""
        now = self.at(start)
        return [*([now] if now and now.onset == start else []), *self.beginning_within(start, end)]

    def sounds_in(self, bar: Bar) -> bool:
        return self.at(bar.start) is not None or bool(self.beginning_within(bar.start, bar.end))

    def bar_at(self, time: Fraction) -> Bar:
        return self.bars[max(bisect_right(self._bar_starts, time) - 1, 0)]

    def chord_at(self, time: Fraction) -> ChordSpan | None:
        index = bisect_right(self._chord_onsets, time) - 1
        return self._chords[index] if index >= 0 and self._chords[index].end > time else None

    def chord_begins(self, time: Fraction) -> bool:
        chord = self.chord_at(time)
        return chord is not None and chord.start == time

    def make_slot(self, onset: Fraction, duration: Fraction, entry: SlotEntry) -> NoteSlot:
        """Return a slot with the tones and the chord of the existing voice at its time."""
        bar, now, earlier = self.bar_at(onset), self.at(onset), self.just_before(onset)
        moves = now is not None and now.onset == onset and earlier is not None
        chord = self.chord_at(onset)
        return NoteSlot(
            onset,
            duration,
            entry,
            bar.number,
            now.tone if now else None,
            earlier.tone if earlier and moves else None,
            later=[(note.tone, self._is_strong(note)) for note in self.beginning_within(onset, onset + duration)],
            chord=tones_of_chord(chord.chord) if chord else None,
            opens_chord=self.chord_begins(onset),
        )

    def beats_between(self, start: Fraction, end: Fraction) -> list[Fraction]:
        """Return the beats after `start` and before `end`."""
        found = []
        first = max(bisect_right(self._bar_starts, start) - 1, 0)
        for bar in self.bars[first:]:
            if bar.start >= end:
                break
            moments = [bar.start - bar.missing + beat for beat in bar.metre.beats]
            found += [moment for moment in moments if bar.start <= moment < bar.end and start < moment < end]
        return found

    def strength(self, time: Fraction) -> int:
        """Return the metrical strength of a time, as in `consort_music.metre`."""
        bar = self.bar_at(time)
        return bar.metre.strength(time - bar.start + bar.missing)

    def beat_length(self, time: Fraction) -> Fraction:
        """Return the length of the beat that a time is in."""
        bar = self.bar_at(time)
        into = time - bar.start + bar.missing
        edges = [*bar.metre.beats, bar.metre.bar]
        place = max(bisect_right(bar.metre.beats, into) - 1, 0)
        return edges[place + 1] - edges[place]

    def _is_strong(self, note: VoiceNote) -> bool:
        """Return whether a note begins on a strong beat and lasts for at least a beat."""
        return self.strength(note.onset) >= STRONG and note.duration >= self.beat_length(note.onset)
