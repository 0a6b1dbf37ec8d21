"""Read a performance: from a MIDI file to a notated score."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from statistics import median

from consort_music.bars import Bars
from consort_music.errors import MusicError
from consort_music.keys import Key
from consort_music.metre import COMMON_TIME, Metre
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import MidiFile
from consort_music.midi.notes import PairedNote, pair_notes
from consort_music.midi.tempo_map import MICROSECONDS_A_MINUTE, tempo_changes
from consort_music.midi.time_signatures import metres_of
from consort_music.midi.track_names import title_of, track_name
from consort_music.notation.limits import MAX_BARS, MAX_NOTES
from consort_music.notation.performance_to_score.bars.metre_choice import choose_metre
from consort_music.notation.performance_to_score.bars.metre_reading import (
    BarsOfPulse,
    MetreReading,
    has_swing,
    read_metre,
    straighten,
)
from consort_music.notation.performance_to_score.beats.beat_map import BeatMap
from consort_music.notation.performance_to_score.beats.beat_tracking import track_beats
from consort_music.notation.performance_to_score.beats.file_beats import agrees_with_grid, beats_of_file, was_performed
from consort_music.notation.performance_to_score.beats.salience import salience
from consort_music.notation.performance_to_score.beats.steady_beats import steady_pulse, times_of_places
from consort_music.notation.performance_to_score.notes.onset_grid import GridReading, exact_grid, place_on_grid
from consort_music.notation.performance_to_score.notes.ornaments import OrnamentedMoments, find_ornaments
from consort_music.notation.performance_to_score.notes.played_notes import (
    Moment,
    PerformedNote,
    moments_of,
    pedal_lifts,
    played_notes,
    seconds_of_ticks,
)
from consort_music.notation.performance_to_score.options import ReadingOptions
from consort_music.notation.performance_to_score.score_layout import (
    NotePlace,
    PerformedPart,
    ReadRhythm,
    StatedByFile,
    lay_out_score,
)
from consort_music.notation.writing.notated_score import NotatedScore
from consort_music.note_sequence.from_midi_file import instrument_of, ppq_of

LED_BY_FILE, GIVEN, TRACKED = "the file", "given", "tracked"
_LONGEST_S = 6 * 3600
_MOST_QUARTERS = 4 * MAX_BARS
_EARLY_S = 0.06
"""A note that is at most this early belongs to the beat after it."""


@dataclass(frozen=True)
class PerformanceReading:
    score: NotatedScore
    beat_times: list[float]
    """All beats in seconds, from before the first note to after the last one. `NotePlace.beat` counts along them."""
    downbeat_times: list[float]
    beats_from: str
    """Where the beats come from: LED_BY_FILE, GIVEN or TRACKED."""
    places: list[NotePlace | None]
    """Where each note of the file is written, in the order of `notes_of`; None for grace notes."""


def notes_of(file: MidiFile) -> list[PairedNote]:
    """Return the notes of a file, track by track. Raise EMPTY_INPUT or TOO_LARGE."""
    notes = [note for index, track in enumerate(file.tracks) for note in pair_notes(track, index).notes]
    if not notes:
        raise MusicError("EMPTY_INPUT", "The MIDI file has no notes. Give one with at least one note.")
    if len(notes) > MAX_NOTES:
        raise MusicError(
            "TOO_LARGE",
            f"The MIDI file has {len(notes):,} notes. A score has at most {MAX_NOTES:,}; give a part of it.",
        )
    return notes


def read_performance(file: MidiFile, options: ReadingOptions | None = None) -> PerformanceReading:
    """Return the score that a performance is most likely played from.

    Raise NEEDS_BEATS, EMPTY_INPUT or TOO_LARGE, as `score_from_midi` does.
    """
    options = options or ReadingOptions()
    ppq = ppq_of(file)
    paired = notes_of(file)
    parts, part_of = _parts(file, paired)
    notes = played_notes(file, paired, part_of)
    is_exact = _is_exact(ppq, paired, options)
    if is_exact:
        ornamented = OrnamentedMoments(_exact_moments(notes, paired), {}, set())
    else:
        ornamented = find_ornaments(notes, moments_of(notes))
    times = [moment.time for moment in ornamented.moments]
    end = max(note.end for note in notes)
    if end > _LONGEST_S or max(note.end for note in paired) > _MOST_QUARTERS * ppq:
        raise MusicError("TOO_LARGE", f"The file lasts longer than {_LONGEST_S // 3600} hours. Send a part of it.")
    file_beats = _file_beats(file, ppq, paired, options)
    bars_of_pulse = None
    if file_beats:
        source, beats = LED_BY_FILE, BeatMap([time for time, _ in file_beats])
    elif options.beat_times:
        source, beats = GIVEN, BeatMap(options.beat_times).covering(times[0] - _EARLY_S, end)
    else:
        source = TRACKED
        found, bars_of_pulse = _tracked(notes, ornamented.moments, options)
        beats = BeatMap(found).covering(times[0] - _EARLY_S, end)
        if bars_of_pulse is not None:
            added = bisect_left(beats.times, found[0] - 1e-6)
            bars_of_pulse = bars_of_pulse._replace(downbeat=bars_of_pulse.downbeat + added)
    if is_exact:
        starts = [Fraction(paired[moment.notes[0]].start, ppq) for moment in ornamented.moments]
        grid = exact_grid(starts, [quarter for _, quarter in file_beats])
    else:
        is_free = not file_beats and bars_of_pulse is None
        grid = place_on_grid([beats.position(time) for time in times], beats.periods, options.finest_grid, is_free)
    has_metre = bool(file_beats) and (is_exact or options.metre is not None or bool(metres_of(file.tracks)))
    if has_metre:
        metre = _metre_of_file(file_beats, file, ppq, grid, options)
    else:
        lifts, is_tracked = pedal_lifts(file), source == TRACKED
        metre = read_metre(notes, ornamented.moments, beats.times, grid, options, bars_of_pulse, lifts, is_tracked)
    if metre.is_swing:
        grid = grid._replace(places=straighten(grid.places))
    lengths = {place: Fraction(note.end - note.start, ppq) for place, note in enumerate(paired)} if is_exact else {}
    if was_performed(lengths.values()):
        lengths = {}
    said = StatedByFile(
        title_of(file),
        _tempos_of_file(file, ppq) if has_metre else _tempo(beats, metre),
        _keys_of_file(file, ppq) if has_metre else _keys_near_bars(file, beats, metre),
        lengths,
    )
    read = ReadRhythm(notes, ornamented, beats, grid, metre)
    score, places = lay_out_score(parts, read, options, said)
    downbeats = [beats.times[beat] for beat in metre.downbeats if beat < len(beats.times)]
    return PerformanceReading(score, beats.times, downbeats, source, places)


def _tracked(
    notes: Sequence[PerformedNote], moments: Sequence[Moment], options: ReadingOptions
) -> tuple[list[float], BarsOfPulse | None]:
    """Return the beats: those of a steady pulse together with its bars, or the ones that are tracked."""
    times = [moment.time for moment in moments]
    saliences = salience(notes, moments)
    if options.bpm is None:
        pulse = steady_pulse(times, [len(moment.notes) for moment in moments], saliences)
        choice = choose_metre(notes, moments, pulse.places, pulse.period, options.metre) if pulse else None
        if pulse and choice:
            first = next(place for place in pulse.places if place is not None)
            lead = -(-(choice.best.downbeat - first) // choice.best.beat)
            start = choice.best.downbeat - lead * choice.best.beat
            last = max(place for place in pulse.places if place is not None)
            places = range(start, max(last, choice.best.downbeat) + 2 * choice.best.beat, choice.best.beat)
            return times_of_places(pulse, times, places), BarsOfPulse(choice, lead)
    return track_beats(times, saliences, 60 / options.bpm if options.bpm else None).times, None


def _is_exact(ppq: int, paired: Sequence[PairedNote], options: ReadingOptions) -> bool:
    """Return whether the starts in the file are note values already, and nobody wants them read in another way."""
    is_told = options.beat_times or options.bpm or options.finest_grid or options.uses_file_beats is False
    return not is_told and not was_performed(Fraction(note.start, ppq) for note in paired)


def _exact_moments(notes: Sequence[PerformedNote], paired: Sequence[PairedNote]) -> list[Moment]:
    together: dict[int, list[int]] = {}
    for index, note in enumerate(paired):
        together.setdefault(note.start, []).append(index)
    return [Moment(notes[group[0]].onset, tuple(group)) for _, group in sorted(together.items())]


def _parts(file: MidiFile, paired: Sequence[PairedNote]) -> tuple[list[PerformedPart], list[int]]:
    """Return a part for each track and channel with notes, and the part of each note."""
    numbers: dict[tuple[int, int], int] = {}
    for track, channel in sorted({(note.track, note.channel) for note in paired}):
        numbers[track, channel] = len(numbers)
    first: dict[tuple[int, int], int] = {}
    for note in paired:
        first.setdefault((note.track, note.channel), note.start)
    parts = [
        PerformedPart(
            track_name(file.tracks[track]) or f"Track {track}", instrument_of(file, channel, first[track, channel])
        )
        for track, channel in numbers
    ]
    return parts, [numbers[note.track, note.channel] for note in paired]


def _file_beats(
    file: MidiFile, ppq: int, paired: Sequence[PairedNote], options: ReadingOptions
) -> list[tuple[float, Fraction]]:
    """Return the beats of the file (seconds, quarters) if the notes agree with them, otherwise none."""
    if options.beat_times or options.bpm or options.uses_file_beats is False:
        return []
    if options.uses_file_beats is None and not _is_exact(ppq, paired, options):
        starts = sorted(note.start for note in paired)
        if not agrees_with_grid([start / ppq for start in starts]):
            return []
    metres = [(Fraction(tick, ppq), metre) for tick, metre in metres_of(file.tracks)]
    if options.metre is not None:
        metres = [(Fraction(0), options.metre)]
    end = Fraction(max(note.end for note in paired), ppq)
    return beats_of_file(file, Bars(metres), end)


def _metre_of_file(
    file_beats: Sequence[tuple[float, Fraction]], file: MidiFile, ppq: int, grid: GridReading, options: ReadingOptions
) -> MetreReading:
    """Return the metres that a file states (4/4 if it states none), or the one that was given."""
    stated = [(Fraction(tick, ppq), metre) for tick, metre in metres_of(file.tracks)]
    metres, pickup = metres_and_pickup([(Fraction(0), options.metre)] if options.metre is not None else stated)
    if options.pickup is not None:
        pickup = options.pickup
    quarters = [quarter for _, quarter in file_beats]
    bars = Bars(metres, pickup=pickup)
    starts = {bar.start for bar in bars.until(quarters[-1])}
    downbeats = [beat for beat, quarter in enumerate(quarters) if quarter in starts and quarter >= pickup]
    is_swing = options.swing if options.swing is not None else has_swing(grid)
    return MetreReading(quarters, metres, pickup, is_swing, downbeats, 9.0, 0)


def metres_and_pickup(found: Sequence[tuple[Fraction, Metre]]) -> tuple[tuple[tuple[Fraction, Metre], ...], Fraction]:
    """Return the metres and the length of the pickup: a single first bar that is shorter than those after it."""
    metres = list(found) or [(Fraction(0), COMMON_TIME)]
    if metres[0][0] > 0:
        metres.insert(0, (Fraction(0), COMMON_TIME))
    if len(metres) > 1 and metres[1][0] == metres[0][1].bar < metres[1][1].bar:
        pickup, metre = metres[1]
        return ((Fraction(0), metre), *metres[2:]), pickup
    return tuple(metres), Fraction(0)


def _keys_of_file(file: MidiFile, ppq: int) -> tuple[tuple[Fraction, Key], ...]:
    return tuple((Fraction(tick, ppq), key) for tick, key in keys_of(file.tracks))


def _keys_near_bars(file: MidiFile, beats: BeatMap, metre: MetreReading) -> tuple[tuple[Fraction, Key], ...]:
    """Return the keys that a file states, each from the nearest bar line on. The file's own beats mean nothing."""
    stated = keys_of(file.tracks)
    bars = [Fraction(0), *(metre.quarters[beat] for beat in metre.downbeats if metre.quarters[beat] > 0)]
    found: dict[Fraction, Key] = {}
    for seconds, (_, key) in zip(seconds_of_ticks(file, [tick for tick, _ in stated]), stated, strict=True):
        at = metre.score_time(Fraction(max(beats.position(seconds), 0.0)))
        found[min(bars, key=lambda bar: abs(bar - at))] = key
    return tuple(found.items())


def _tempos_of_file(file: MidiFile, ppq: int) -> tuple[tuple[Fraction, Fraction], ...]:
    changes, _ = tempo_changes(file.tracks)
    return tuple((Fraction(tick, ppq), Fraction(MICROSECONDS_A_MINUTE, tempo)) for tick, tempo in changes)


def _tempo(beats: BeatMap, metre: MetreReading) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return the median tempo, in whole quarters per minute."""
    seconds = [
        period / float(after - before)
        for period, (before, after) in zip(beats.periods, pairwise(metre.quarters), strict=False)
    ]
    return ((Fraction(0), Fraction(max(round(60 / median(seconds)), 1))),)
