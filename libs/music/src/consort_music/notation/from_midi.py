"""Convert a MIDI file to a score with a part for each track and channel.

Pitches are spelled in the key at their start. If the file has no key, or only one that its notes contradict, they are
spelled in the key that fits the notes best. That key is not added to the score. A performance is read as a score
(`performance_to_score`), with a warning; its keys are then found too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from consort_music.bars import Bar, Bars
from consort_music.errors import MusicError
from consort_music.key_finding.notes import rank_keys_of_notes
from consort_music.key_finding.pitch_classes import contradicts, pitch_class_weights
from consort_music.key_finding.voices import TimedNote
from consort_music.keys import Key
from consort_music.metre import Metre
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.measure_numbers import measure_numbers_of
from consort_music.midi.model import MidiFile
from consort_music.midi.notes import pair_notes
from consort_music.midi.rights import rights_notes
from consort_music.midi.track_names import title_of
from consort_music.notation.limits import MAX_NOTES, check_bar_count
from consort_music.notation.performance_to_score import read_performance
from consort_music.notation.performance_to_score.beats.file_beats import was_performed
from consort_music.notation.performance_to_score.reading import TRACKED, metres_and_pickup
from consort_music.note_sequence.from_midi_file import ppq_of, sequence_from_midi
from consort_music.note_sequence.model import NoteSequence, SequenceNote
from consort_music.pitch import Pitch
from consort_music.printed_measures import PrintedMeasure, is_counted
from consort_music.score import Note, Part, Score


def score_from_midi(file: MidiFile, quantize: bool | None = None) -> tuple[Score, list[str]]:
    """Return the score and warnings. If `quantize` is None, the file is read as a performance if it is one.

    Raise NEEDS_BEATS if the file is timed by SMPTE frames, EMPTY_INPUT if it has no notes, and TOO_LARGE if it has too
    many notes or bars.
    """
    ppq = ppq_of(file)
    notes = [note for index, track in enumerate(file.tracks) for note in pair_notes(track, index).notes]
    notes = [note for note in notes if note.end > note.start]
    if not notes:
        raise MusicError("EMPTY_INPUT", "The MIDI file has no notes. Give one with at least one note.")
    if len(notes) > MAX_NOTES:
        raise MusicError(
            "TOO_LARGE",
            f"The MIDI file has {len(notes):,} notes. A score has at most {MAX_NOTES:,}; give a part of it.",
        )
    if quantize or (quantize is None and was_performed(Fraction(note.start, ppq) for note in notes)):
        return _read_performance(file)
    sequence = sequence_from_midi(file, notes)
    keys = [(Fraction(tick, ppq), key) for tick, key in keys_of(file.tracks)]
    spelling = _credible_keys(keys, sequence) or [(Fraction(0), _suggested_key(sequence))]
    metres, pickup = metres_and_pickup([(at, Metre(upper, lower)) for at, upper, lower in sequence.time_signatures])
    score = Score(
        parts=tuple(
            Part.of(track.name, _spell_notes(track.notes, spelling), track.instrument.name) for track in sequence.tracks
        ),
        metres=metres,
        keys=tuple(keys),
        tempos=tuple(sequence.tempos),
        pickup=pickup,
        title=title_of(file),
        is_spelled=False,
    )
    score = replace(check_bar_count(score), printed_measures=printed_measures_of(file, score.bars, score.bar_lines))
    return score, rights_notes(file.tracks)


def printed_measures_of(file: MidiFile, bars: Sequence[Bar], bar_lines: Bars) -> tuple[PrintedMeasure, ...]:
    """Return the measures of a score with the numbers that its file has; empty if bars are counted or are others."""
    if file.ppq is None or (numbers := measure_numbers_of(file.tracks, file.ppq)).are_counted:
        return ()
    printed = []
    for bar in bars:
        counted = numbers.bars.number_at(bar.start * file.ppq)
        if numbers.bars.start_of(counted) != bar.start * file.ppq:
            return ()
        printed.append(PrintedMeasure(bar.start, numbers.number_of(counted), numbers.missing_before(counted)))
    return () if is_counted(printed, bar_lines) else tuple(printed)


def _read_performance(file: MidiFile) -> tuple[Score, list[str]]:
    reading = read_performance(file)
    found = "found from the notes" if reading.beats_from == TRACKED else "taken from the file"
    warning = (
        "This is a performance: notes were moved to a grid of halves, thirds or quarters of a beat. "
        f"Beats were {found}."
    )
    return check_bar_count(reading.score.to_score()), [warning]


def _credible_keys(keys: list[tuple[Fraction, Key]], sequence: NoteSequence) -> list[tuple[Fraction, Key]]:
    """Return the keys, or none if there is only one and the notes contradict it."""
    return [] if len(keys) == 1 and contradicts(_weights(sequence), keys[0][1]) else keys


def _suggested_key(sequence: NoteSequence) -> Key:
    notes = [
        TimedNote(float(note.start), float(note.start + note.duration), note.pitch, voice)
        for voice, track in enumerate(sequence.tracks)
        if not track.instrument.is_drums
        for note in track.notes
    ]
    return rank_keys_of_notes(notes)[0].key


def _weights(sequence: NoteSequence) -> list[float]:
    melodic = [note for track in sequence.tracks if not track.instrument.is_drums for note in track.notes]
    return pitch_class_weights([(note.pitch, float(note.duration)) for note in melodic])


def _spell_notes(notes: Iterable[SequenceNote], keys: list[tuple[Fraction, Key]]) -> Iterable[Note]:
    """Yield the notes sorted by start, each spelled in the key at its start."""
    known: dict[int, Pitch] = {}
    place = 0
    for note in sorted(notes, key=lambda note: note.start):
        while place + 1 < len(keys) and keys[place + 1][0] <= note.start:
            place, known = place + 1, {}
        pitch = known.get(note.pitch)
        if pitch is None:
            pitch = known[note.pitch] = keys[place][1].spell(note.pitch)
        yield Note(note.start, note.duration, pitch, note.velocity)
