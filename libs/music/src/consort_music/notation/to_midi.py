"""Convert a score to a MIDI file of type 1, with names, instruments, tempos, metres and keys.

A pickup is written with its own metre, such as 1/4 before 4/4. Printed measure numbers are written where they differ
from bars counted from 1, so also for a pickup (see `measure_numbers`). Chord symbols are not written, because they do
not sound. The file ends where the score ends, after its last rest.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from consort_music.beats import to_ticks
from consort_music.instruments import INSTRUMENTS, known_instrument
from consort_music.keys import Key
from consort_music.metre import DENOMINATORS, Metre, metre_in_limits
from consort_music.midi.key_signatures import MOST_SHARPS
from consort_music.midi.measure_numbers import measure_number_event
from consort_music.midi.model import Event, MidiFile
from consort_music.note_sequence.model import NoteSequence, SequenceNote, SequenceTrack
from consort_music.note_sequence.to_midi_file import sequence_to_midi
from consort_music.printed_measures import missing_before, number_of_bar
from consort_music.score import Part, Score

DEFAULT_BPM = Fraction(120)


def score_to_midi(score: Score, ppq: int | None = None) -> MidiFile:
    """Return the MIDI file. The default tempo is 120 bpm. Without `ppq` every beat is exact, if that is possible."""
    return with_measure_numbers(sequence_to_midi(score_to_sequence(score), ppq), score)


def with_measure_numbers(file: MidiFile, score: Score) -> MidiFile:
    """Return the file of a score with the score's measure numbers in its first track. It may be the same file."""
    events = list(_number_events(score, file.division))
    if not events:
        return file
    conductor = sorted([*events, *file.tracks[0]], key=lambda event: event[0])
    return replace(file, tracks=[conductor, *file.tracks[1:]])


def _number_events(score: Score, ppq: int) -> Iterator[Event]:
    """Yield an event for each bar whose number does not follow from the one before."""
    if not score.pickup and not score.printed_measures:
        return
    before = 0
    for bar in score.bars:
        number, missing = number_of_bar(score.printed_measures, bar)[0], missing_before(score.printed_measures, bar)
        if number != before + 1 or missing:
            yield measure_number_event(to_ticks(bar.start, ppq), number, missing)
        before = number


def score_to_sequence(score: Score) -> NoteSequence:
    return NoteSequence(
        tempos=list(score.tempos) or [(Fraction(0), DEFAULT_BPM)],
        time_signatures=_time_signatures(score),
        tracks=[_track(part) for part in score.parts],
        key_signatures=_key_signatures(score.keys),
        title=score.title,
        end=score.length,
    )


def _track(part: Part) -> SequenceTrack:
    notes = [SequenceNote(note.pitch.midi, note.velocity, note.start, note.duration) for note in part.notes]
    return SequenceTrack(part.name, known_instrument(part.instrument) or INSTRUMENTS[0], notes)


def _time_signatures(score: Score) -> list[tuple[Fraction, int, int]]:
    found = [(at, metre.numerator, metre.denominator) for at, metre in score.metres]
    if not score.pickup:
        return found
    short = _metre_of(score.pickup, score.metre.denominator)
    after = [each for each in found if each[0] > 0]
    if short is None:
        return found
    resumed = [] if any(at == score.pickup for at, *_ in after) else [(score.pickup, *_figures(score.metre))]
    return [(Fraction(0), *_figures(short)), *resumed, *after]


def _metre_of(length: Fraction, denominator: int) -> Metre | None:
    """Return a metre whose bar has this length, or None. Its lower number is `denominator` or a larger one."""
    for unit in DENOMINATORS:
        beats = length * unit / 4
        if unit >= denominator and beats.denominator == 1 and (metre := metre_in_limits(int(beats), unit)):
            return metre
    return None


def _figures(metre: Metre) -> tuple[int, int]:
    return metre.numerator, metre.denominator


def _key_signatures(keys: tuple[tuple[Fraction, Key], ...]) -> list[tuple[Fraction, int, bool]]:
    return [(at, key.sharps, key.is_minor) for at, key in keys if abs(key.sharps) <= MOST_SHARPS]
