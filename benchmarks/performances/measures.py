"""How a reading is compared with the score that was played.

Corpus scores (metre and beats not given):

- A reading may write all values double or half as long (2/4 as 4/4 or 2/2, 3/4 as 3/8): the best of the three scales is
  used for the whole piece. A wrong beat in the middle would shift all that follows, so that an *onset* is right if its
  distance from the true start is the most common one of its piece (after scaling), to 1/100 of a quarter.
- The *interval from the moment before* of an onset is right if the score time since the moment before (the last
  earlier start of any note in the score; written where most of its notes are written) is right, after scaling. One lost
  beat makes one interval wrong, but all later onsets. The scale with the most right intervals is used.
- A *note value* is right if the length is right after the same scaling.
- The *metre* is right if the first metre has the same kind of bar: 2/4, 4/4 and 2/2 are equal, 3/4 and 3/8 are equal,
  6/8 and 12/8 are equal; others must be the same.
- The *key signature* is right if the reading's first signature has the same sharps or flats (enharmonic ones equal).
  It is measured twice. *Key signature, in the file*: the file has the key signatures of its score, as every MIDI file
  has that a notation program exports; the reading must not lose them. *Key signature, not in the file*: the key is
  found from the notes alone, which is harder and often impossible; *where the notes agree with it* are the pieces in
  which no other signature would leave fewer notes with accidentals (signatures of old modal music, for example, are
  often not those of the notes). All other figures are of the file without key signatures.

Real performances, with the annotated beats given: an *onset* is right if its place between the beats is that of the
score, a *note value* if its length in beats is. Notes of ornaments that only the score's MIDI file has do not count; in
the figures with *ornaments counted too* they do. Without beats: F-measure of *beats* and *downbeats* within 70 ms. An
onset is *within the right beat* if the beat in which it is written begins within 70 ms of the annotated beat in which
the score has it; *from start to end* if it also ends within 70 ms of its end. A note that is written as a grace note,
or left out, counts as wrong throughout.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import mean

from benchmarks.performances.corpus_scores import CorpusPerformance
from benchmarks.performances.real_performances import RealPerformance
from consort_music.metre import Metre, parse_metre
from consort_music.midi.model import MidiFile
from consort_music.midi.notes import pair_notes
from consort_music.midi.tempo_map import elapsed_ms, tempo_changes
from consort_music.notation.performance_to_score import PerformanceReading, ReadingOptions, read_performance

NEAR_S = 0.07
INTERVALS = "onsets: interval from the moment before"
_SCALES = (Fraction(1), Fraction(2), Fraction(1, 2))
_SAME = Fraction(1, 100)
_MAJOR_SCALE = (0, 2, 4, 5, 7, 9, 11)
Written = tuple[Fraction, Fraction] | None
"""Start and length in quarters."""


def corpus_scores(performance: CorpusPerformance) -> dict[str, float]:
    reading = read_performance(performance.file)
    written = [(place.start, place.length) if place else None for place in reading.places]
    truth = true_notes(performance)
    onsets, values = compare(written, truth)
    true_key = performance.score.keys[0][1].sharps
    has_key = float(_has_signature(reading, true_key))
    found = {
        "onsets": onsets,
        INTERVALS: right_intervals(written, truth),
        "note values": values,
        "metre": float(metre_class(reading.score.metres[0][1]) == metre_class(performance.score.metre)),
        "key signature, in the file": float(_has_signature(read_performance(performance.file_with_keys), true_key)),
        "key signature, not in the file": has_key,
    }
    if notes_agree_with_signature(performance):
        found["key signature, not in the file, where the notes agree with it"] = has_key
    return found


def _has_signature(reading: PerformanceReading, sharps: int) -> bool:
    """Return whether the first key signature is the one with so many sharps, or an enharmonic one."""
    own = reading.score.keys[0][1].sharps if reading.score.keys else 0
    return (own - sharps) % 12 == 0


def notes_agree_with_signature(performance: CorpusPerformance) -> bool:
    """Return whether no other signature leaves fewer of the played notes with accidentals."""
    counts = Counter(note.midi % 12 for _, _, note in performance.truth)
    inside = [sum(counts[(7 * sharps + step) % 12] for step in _MAJOR_SCALE) for sharps in range(12)]
    return inside[performance.score.keys[0][1].sharps % 12] == max(inside)


def true_notes(performance: CorpusPerformance) -> list[Written]:
    """Return the true start and length of each note of the file, track by track."""
    waiting: dict[tuple[int, int], list[Written]] = {}
    for seconds, _, note in performance.truth:
        waiting.setdefault((note.midi, round(seconds * 960)), []).append((note.start, note.duration))
    found: list[Written] = []
    for track in performance.file.tracks:
        for played in pair_notes(track).notes:
            known = waiting.get((played.pitch, played.start))
            found.append(known.pop(0) if known else None)
    return found


def compare(written: Sequence[Written], truth: Sequence[Written]) -> tuple[float, float]:
    """Return the shares of right onsets and note values, for the scale with the most right onsets."""
    best = (0.0, 0.0)
    pairs = [(ours, true) for ours, true in zip(written, truth, strict=True) if true]
    for scale in _SCALES:
        shifts: Counter[int] = Counter()
        values = 0
        for ours, true in pairs:
            if ours and true:
                shifts[round((ours[0] * scale - true[0]) / _SAME)] += 1
                values += abs(ours[1] * scale - true[1]) < _SAME
        most = shifts.most_common(1)[0][1] if shifts else 0
        best = max(best, (most / len(pairs), values / len(pairs)))
    return best


def right_intervals(written: Sequence[Written], truth: Sequence[Written]) -> float:
    """Return the share of onsets whose distance from the moment before is right, for the best scale."""
    pairs = [(ours, true) for ours, true in zip(written, truth, strict=True) if true]
    together: dict[Fraction, Counter[Fraction]] = {}
    for ours, true in pairs:
        places = together.setdefault(true[0], Counter())
        if ours:
            places[ours[0]] += 1
    starts = sorted(together)
    before = {after: start for start, after in pairwise(starts)}
    usual = {start: places.most_common(1)[0][0] for start, places in together.items() if places}
    counted = [(ours, true[0]) for ours, true in pairs if true[0] in before]
    right = [
        sum(
            ours is not None
            and before[start] in usual
            and abs((ours[0] - usual[before[start]]) * scale - (start - before[start])) < _SAME
            for ours, start in counted
        )
        for scale in _SCALES
    ]
    return max(right) / len(counted) if counted else 1.0


def metre_class(metre: Metre) -> str:
    name = metre.name
    for equal in (("2/4", "4/4", "2/2", "4/2", "2/8", "4/8"), ("3/4", "3/8", "3/2"), ("6/8", "12/8", "6/4")):
        if name in equal:
            return equal[0]
    return name


def scores_with_beats(performance: RealPerformance) -> dict[str, float]:
    quarters = performance.beat_quarters
    assert quarters is not None
    metre = parse_metre(performance.metre)
    reading = read_performance(performance.file, ReadingOptions(metre=metre, beat_times=tuple(performance.beats)))
    added = next(place for place, time in enumerate(reading.beat_times) if time >= performance.beats[0] - 1e-6)
    unit = metre.bar / len(metre.beats)
    found: dict[str, list[bool]] = {"onsets": [], "note values": []}
    with_ornaments: dict[str, list[bool]] = {"onsets": [], "note values": []}
    for place, true, ornament in zip(reading.places, true_places(performance), _ornaments(performance), strict=True):
        known = true or ornament
        if known is None:
            continue
        start, duration = known
        beat = _beat_of(start, quarters)
        length = quarters[beat + 1] - quarters[beat]
        expected = added + beat + (start - quarters[beat]) / length
        is_right = {
            "onsets": place is not None and abs(place.beat - expected) < _SAME,
            "note values": place is not None and abs(place.length / unit - duration / length) < _SAME,
        }
        for kind, right in is_right.items():
            with_ornaments[kind].append(right)
            if true:
                found[kind].append(right)
    return {kind: mean(rights) for kind, rights in found.items()} | {
        f"{kind}, ornaments counted too": mean(rights) for kind, rights in with_ornaments.items()
    }


def scores_without_beats(performance: RealPerformance) -> dict[str, float]:
    reading = read_performance(performance.file)
    first, last = _span(performance.file)
    beats = [time for time in reading.beat_times if first - NEAR_S <= time <= last + NEAR_S]
    downbeats = [time for time in reading.downbeat_times if first - NEAR_S <= time <= last + NEAR_S]
    found = {
        "beat F": f_measure(performance.beats, beats),
        "downbeat F": f_measure(performance.downbeats, downbeats),
        "key signature, not in the file": float(_has_signature(reading, performance.sharps)),
    }
    if performance.beat_quarters is not None:
        begins, both = [], []
        for place, true in zip(reading.places, true_places(performance), strict=True):
            if true is not None:
                beat = _beat_of(true[0], performance.beat_quarters)
                edges = performance.beats[beat : beat + 2]
                ours = reading.beat_times[int(place.beat) : int(place.beat) + 2] if place else []
                near = [abs(own - edge) <= NEAR_S for own, edge in zip(ours, edges, strict=False)]
                begins.append(float(near[:1] == [True]))
                both.append(float(near == [True, True]))
        found["onsets within the right beat"] = mean(begins)
        found["onsets within the right beat from start to end"] = mean(both)
    return found


def true_places(performance: RealPerformance) -> list[Written]:
    """Return the true start and length of each note of the file, track by track; None if they are unknown."""
    return [performance.truth.get(key) for key in _keys_of_notes(performance)]


def _ornaments(performance: RealPerformance) -> list[Written]:
    """Return the same of notes that are ornaments."""
    return [performance.ornaments.get(key) for key in _keys_of_notes(performance)]


def _keys_of_notes(performance: RealPerformance) -> list[tuple[int, int]]:
    return [(note.start, note.pitch) for track in performance.file.tracks for note in pair_notes(track).notes]


def f_measure(truth: Sequence[float], found: Sequence[float]) -> float:
    """Return the F-measure of times: one-to-one matches within 70 ms."""
    hits = here = there = 0
    while here < len(truth) and there < len(found):
        apart = found[there] - truth[here]
        hits += abs(apart) <= NEAR_S
        here += apart >= -NEAR_S
        there += apart <= NEAR_S
    return 2 * hits / max(len(truth) + len(found), 1)


def _beat_of(start: Fraction, quarters: Sequence[Fraction]) -> int:
    return min(max(bisect_right(quarters, start) - 1, 0), len(quarters) - 2)


def _span(file: MidiFile) -> tuple[float, float]:
    """Return the seconds of the first and the last start of a note."""
    tempos, _ = tempo_changes(file.tracks)
    starts = [note.start for track in file.tracks for note in pair_notes(track).notes]
    return elapsed_ms(file, tempos, min(starts)) / 1000, elapsed_ms(file, tempos, max(starts)) / 1000
