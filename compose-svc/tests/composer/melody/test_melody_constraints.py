"""Test 2,000 random requests for melodies: every constraint is met, proven impossible, or reported as relaxed.

The checks use none of the generator's rules. Scales, bars, leaps, contours and the share of steps are implemented here
a second time. If the generator rejects a request, the test proves that no melody meets it.
"""

import json
import math
import os
import random
import subprocess
import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import pytest

from consort_compose.composer.melody.engine.generate import generate
from consort_compose.composer.melody.engine.request_and_result import Density, Melody, MelodyConflict, MelodyRequest
from consort_music.chords.grammar import parse_chord
from consort_music.chords.timed_chords import ChordSpan
from consort_music.errors import MusicError
from consort_music.keys import parse_key
from consort_music.metre import parse_metre

REQUESTS = 2000
SCALES = {
    "major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 10), "dorian": (0, 2, 3, 5, 7, 9, 10),
    "phrygian": (0, 1, 3, 5, 7, 8, 10), "lydian": (0, 2, 4, 6, 7, 9, 11), "mixolydian": (0, 2, 4, 5, 7, 9, 10),
    "locrian": (0, 1, 3, 5, 6, 8, 10), "harmonic minor": (0, 2, 3, 5, 7, 8, 11),
    "melodic minor": (0, 2, 3, 5, 7, 9, 11), "major pentatonic": (0, 2, 4, 7, 9),
    "minor pentatonic": (0, 3, 5, 7, 10), "blues": (0, 3, 5, 6, 7, 10), "whole tone": (0, 2, 4, 6, 8, 10),
}  # fmt: skip
TONICS = {
    "C": 0,
    "C#": 1,
    "Db": 1,
    "D": 2,
    "Eb": 3,
    "E": 4,
    "F": 5,
    "F#": 6,
    "G": 7,
    "Ab": 8,
    "A": 9,
    "Bb": 10,
    "B": 11,
}
METRES = ("4/4", "3/4", "2/4", "6/8", "9/8", "12/8", "5/4", "7/8", "5/8", "2/2", "3/8", "11/8", "6/4", "3/2", "7/16")
NOTES_PER_QUARTER = {"sparse": (0.25, 0.5), "medium": (0.5, 1), "dense": (1, 2)}
NOTES_PER_QUARTER_IN_THREES = {"sparse": (2 / 3, 1), "medium": (1, 5 / 3), "dense": (4 / 3, 8 / 3)}
"""For compound and irregular metres: 2-3, 3-5 and 4-8 notes in a bar of 6/8."""
ROUNDING = 1e-6


@dataclass(frozen=True)
class CheckedRequest:
    """A request with its scale and bar, computed independently of the generator."""

    request: MelodyRequest
    seed: int
    scale: frozenset[int]
    numerator: int
    denominator: int

    @property
    def bar(self) -> Fraction:
        return Fraction(4 * self.numerator, self.denominator)

    @property
    def pitches(self) -> list[int]:
        return [midi for midi in range(self.request.low, self.request.high + 1) if midi % 12 in self.scale]


def random_request(number: int) -> CheckedRequest:
    """Return a random request. Some are easy; most have several constraints, many of which are tight."""
    rng = random.Random(f"melody {number}")
    tonic, mode, metre = rng.choice(list(TONICS)), rng.choice(list(SCALES)), rng.choice(METRES)
    scale = frozenset((TONICS[tonic] + tone) % 12 for tone in SCALES[mode])
    low = rng.randint(36, 84)
    high = min(108, low + rng.choice((0, 1, 2, 3, 4, 5, 7, 9, 12, 12, 14, 17, 19, 24, 24, 36)))
    inside = [midi for midi in range(low, high + 1) if midi % 12 in scale] or [low]

    def maybe_note() -> int | None:
        if rng.random() < 0.35:
            return None
        return rng.choice(inside) if rng.random() < 0.9 else rng.randint(low - 3, high + 3)

    return CheckedRequest(
        MelodyRequest(
            key=parse_key(f"{tonic} {mode}"),
            measures=rng.choice((1, 1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 12)),
            metre=parse_metre(metre),
            low=low,
            high=high,
            contour=rng.choice((None, None, "arch", "ascending", "descending", "wave", "static")),
            density=rng.choice(("sparse", "medium", "dense")),
            start=maybe_note(),
            end=maybe_note(),
            max_leap=rng.choice((None, None, 0, 1, 2, 2, 3, 4, 5, 7, 9, 12)),
            prefer_stepwise=rng.choice((0.7, 0.7, 0.7, 0.0, 0.2, 0.5, 0.6, 0.8, 0.9, 1.0)),
            pickup=rng.choice((Fraction(0),) * 5 + (Fraction(1, 2),)),
        ),
        seed=rng.randrange(2**32),
        scale=scale,
        numerator=int(metre.split("/")[0]),
        denominator=int(metre.split("/")[1]),
    )


@pytest.mark.parametrize("tenth", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, 10))])
def test_every_constraint_is_met_or_proven_impossible(tenth: int) -> None:
    rejected = met = 0
    for number in range(tenth, REQUESTS, 10):
        one = random_request(number)
        try:
            melody = generate(one.request, one.seed)
        except MelodyConflict as conflict:
            check_is_impossible(one, conflict)
            rejected += 1
            continue
        met += 1
        check_hard(one, melody)
        check_wishes(one, melody)
    assert met > 100 and rejected > 10, "the requests must be neither all easy nor all impossible"


def check_hard(one: CheckedRequest, melody: Melody) -> None:
    """Check the hard constraints: range, scale, first and last note, largest leap and length."""
    request = one.request
    pitches = melody.pitches
    assert len(pitches) == len(melody.timings) > 0
    assert all(request.low <= midi <= request.high for midi in pitches)
    assert {midi % 12 for midi in pitches} <= one.scale
    assert request.start in (None, pitches[0])
    assert request.end in (None, pitches[-1])
    if request.max_leap is not None:
        assert all(abs(after - before) <= request.max_leap for before, after in pairwise(pitches))
    time = -request.pickup
    for timing in melody.timings:
        assert timing.onset == time and timing.duration > 0
        measure = math.floor(timing.onset / one.bar) + 1
        assert timing.measure == measure
        assert timing.onset + timing.duration <= max(Fraction(0), measure * one.bar), "a note must end within its bar"
        time += timing.duration
    assert time == request.measures * one.bar


def check_wishes(one: CheckedRequest, melody: Melody) -> None:
    """Check that every wish is met, or is reported with a measure of the melody."""
    request = one.request
    texts = [relaxed.message for relaxed in melody.relaxed]
    assert all(0 <= relaxed.measure <= request.measures for relaxed in melody.relaxed)
    assert request.prefer_stepwise is not None
    warned_steps = any("prefer_stepwise" in text for text in texts)
    if warned_steps:
        assert not share_is_possible(one, len(melody.pitches)), "the share of steps was relaxed although it is possible"
    elif len(melody.pitches) > 1:
        assert abs(step_share(one, melody.pitches) - request.prefer_stepwise) <= 0.1 + ROUNDING
    if request.contour:
        if any("contour" in text for text in texts):
            assert not follows(request.contour, one, melody, -ROUNDING), "a contour was reported but is followed"
        else:
            assert follows(request.contour, one, melody, ROUNDING)
    in_threes = one.denominator >= 8 and one.numerator > 3 and (one.numerator % 3 == 0 or one.numerator % 2 == 1)
    shares = (NOTES_PER_QUARTER_IN_THREES if in_threes else NOTES_PER_QUARTER)[request.density]
    least, most = (max(1, math.floor(share * one.bar + 0.5 + ROUNDING)) for share in shares)
    counts = [sum(timing.measure == measure + 1 for timing in melody.timings) for measure in range(request.measures)]
    assert sum(counts) >= least * request.measures
    assert any("more notes" in text for text in texts) == (max(counts) > most)


def step_share(one: CheckedRequest, pitches: tuple[int, ...]) -> float:
    """Return the share of moves that go to the same note or to a neighbouring note of the scale."""
    return 1 - sum(is_leap(one, before, after) for before, after in pairwise(pitches)) / (len(pitches) - 1)


def is_leap(one: CheckedRequest, before: int, after: int) -> bool:
    low, high = sorted((before, after))
    return any(midi % 12 in one.scale for midi in range(low + 1, high))


def share_is_possible(one: CheckedRequest, notes: int) -> bool:
    """Return whether a melody of `notes` notes can meet the share of steps.

    Dynamic programming computes all counts of leaps that a melody can have.
    """
    request = one.request
    moves = [
        (before, after, is_leap(one, before, after))
        for before in one.pitches
        for after in one.pitches
        if request.max_leap is None or abs(after - before) <= request.max_leap
    ]
    counts = {midi: {0} for midi in one.pitches if request.start in (None, midi)}
    for _ in range(notes - 1):
        following: dict[int, set[int]] = {}
        for before, after, leap in moves:
            if before in counts:
                following.setdefault(after, set()).update(count + leap for count in counts[before])
        counts = following
    reached = set().union(*(found for midi, found in counts.items() if request.end in (None, midi)))
    assert request.prefer_stepwise is not None
    return any(abs(1 - count / (notes - 1) - request.prefer_stepwise) <= 0.1 for count in reached)


def follows(contour: str, one: CheckedRequest, melody: Melody, edge: float) -> bool:
    """Return whether a melody follows a contour, as `contour.py` defines it, with a tolerance of `edge`."""
    pitches = melody.pitches
    begin, end = melody.timings[0].onset, one.request.measures * one.bar
    times = [float((timing.onset - begin) / (end - begin)) for timing in melody.timings]
    if contour == "static":
        moves = [abs(after - before) for before, after in pairwise(pitches)]
        return max(pitches) - min(pitches) <= 7 and sum(moves) <= 2.5 * len(moves) + edge
    if contour == "wave":
        half_wave = min(0.5, 2 / one.request.measures)
        ideal = [time / half_wave % 2 if time / half_wave % 2 < 1 else 2 - time / half_wave % 2 for time in times]
        return abs(correlation(ideal, pitches)) >= 0.5 - edge
    if contour == "arch":
        peak = times[pitches.index(max(pitches))]
        ideal = [time / 0.6 if time < 0.6 else (1 - time) / 0.4 for time in times]
        comes_down = pitches[-1] - min(pitches) <= max(pitches) - pitches[-1]
        return correlation(ideal, pitches) >= 0.5 - edge and 0.4 <= peak <= 0.8 and comes_down
    rises = 1 if contour == "ascending" else -1
    return rises * correlation(times, pitches) >= 0.5 - edge and rises * (pitches[-1] - pitches[0]) > 0


def correlation(left: list[float], right: tuple[int, ...]) -> float:
    if len(set(left)) < 2 or len(set(right)) < 2:
        return 0.0
    mean_left, mean_right = sum(left) / len(left), sum(right) / len(right)
    return sum((a - mean_left) * (b - mean_right) for a, b in zip(left, right, strict=True)) / math.sqrt(
        sum((a - mean_left) ** 2 for a in left) * sum((b - mean_right) ** 2 for b in right)
    )


def bars_of(melody: Melody, measures: int) -> list[list[tuple[Fraction, Fraction, int]]]:
    """Return the onset in the bar, the duration and the pitch of each note, for each full bar."""
    bars: list[list[tuple[Fraction, Fraction, int]]] = [[] for _ in range(measures)]
    first = {timing.measure: timing.onset for timing in reversed(melody.timings)}
    for timing, midi in zip(melody.timings, melody.pitches, strict=True):
        if timing.measure:
            bars[timing.measure - 1].append((timing.onset - first[timing.measure], timing.duration, midi))
    return bars


def check_is_impossible(one: CheckedRequest, conflict: MelodyConflict) -> None:
    """Check that no melody exists, even with the shortest notes (sixteenths or the unit of the metre)."""
    request = one.request
    assert conflict.message and conflict.field
    if len(one.pitches) < 3:
        assert conflict.best is None
        return
    reached = {midi for midi in one.pitches if request.start in (None, midi)}
    shortest = min(Fraction(1, 4), Fraction(4, one.denominator))
    for _ in range(int(request.measures * one.bar / shortest)):
        if any(request.end in (None, midi) for midi in reached):
            pytest.fail(f"{request} was rejected but is possible: {conflict.message}")
        reached = {
            after
            for before in reached
            for after in one.pitches
            if request.max_leap is None or abs(after - before) <= request.max_leap
        }
    assert conflict.best is not None and conflict.best.pitches


@pytest.mark.parametrize(("low", "high", "found", "least_high"), [(61, 61, 0, "F4"), (60, 62, 2, "E4")])
def test_a_range_with_too_few_notes_of_the_key_is_rejected(low: int, high: int, found: int, least_high: str) -> None:
    with pytest.raises(MelodyConflict, match=f"has {found} of the 3 notes of C major") as caught:
        generate(MelodyRequest(parse_key("C major"), 4, low=low, high=high), seed=1)
    assert caught.value.suggestions[0] == least_high


def test_a_last_note_too_far_away_is_explained() -> None:
    request = MelodyRequest(parse_key("C major"), 1, parse_metre("2/4"), start=60, end=84, max_leap=2)
    with pytest.raises(MelodyConflict, match="14 moves away from C4") as caught:
        generate(request, seed=1)
    assert caught.value.field == "length_measures"
    assert caught.value.suggestions == ["2"]
    assert caught.value.best is not None and caught.value.best.pitches[0] == 60
    melody = generate(replace(request, measures=2), seed=1)
    assert (melody.pitches[0], melody.pitches[-1]) == (60, 84)
    assert any("more notes" in relaxed.message for relaxed in melody.relaxed)


def test_chords_are_followed_on_strong_beats() -> None:
    progression = [("C", {0, 4, 7}), ("F", {5, 9, 0}), ("G", {7, 11, 2}), ("C", {0, 4, 7})] * 2
    spans = tuple(
        ChordSpan(Fraction(4 * bar), Fraction(4 * bar + 4), parse_chord(symbol))
        for bar, (symbol, _) in enumerate(progression)
    )
    for seed in range(30):
        melody = generate(MelodyRequest(parse_key("C major"), 8, density="dense", chords=spans), seed)
        for timing, midi in zip(melody.timings, melody.pitches, strict=True):
            if timing.onset % 4 in (0, 2):
                assert midi % 12 in progression[int(timing.onset // 4)][1]
        assert not melody.relaxed


BEATS = {
    "6/8": (0, 3), "9/8": (0, 3, 6), "12/8": (0, 3, 6, 9), "5/8": (0, 2), "7/8": (0, 2, 4),
}  # fmt: skip
"""By metre: the beats in eighths."""


@pytest.mark.parametrize("metre", BEATS)
@pytest.mark.parametrize("density", ["sparse", "medium", "dense"])
def test_the_beats_of_compound_metres_are_heard(metre: str, density: Density) -> None:
    hidden = []
    for seed in range(20):
        melody = generate(MelodyRequest(parse_key("G major"), 8, parse_metre(metre), density=density), seed)
        for bar in bars_of(melody, 8)[:-1]:
            onsets = {2 * onset for onset, _, _ in bar}
            hidden.append(not onsets >= set(BEATS[metre]))
    assert sum(hidden) <= 0.1 * len(hidden)


@pytest.mark.parametrize(("density", "fewest", "most"), [("sparse", 2, 3), ("medium", 4, 5), ("dense", 4.5, 7)])
def test_a_bar_of_six_eighths_has_as_many_notes_as_in_folk_tunes(density: Density, fewest: float, most: float) -> None:
    notes = [
        len(generate(MelodyRequest(parse_key("D major"), 8, parse_metre("6/8"), density=density), seed).pitches) / 8
        for seed in range(30)
    ]
    assert fewest <= sum(notes) / len(notes) <= most


def test_short_tunes_return_to_their_motif() -> None:
    """Count the figures of four notes that occurred before in the tune, and those of the first two bars after bar 4.

    In folk tunes of five to eight bars 14% and 12% of them do.
    """
    repeated, kept = [], []
    for seed in range(80):
        melody = generate(MelodyRequest(parse_key("G major"), 8), seed)
        moves = [
            (b - a, two.duration / one.duration, one.measure)
            for (one, a), (two, b) in pairwise(zip(melody.timings, melody.pitches, strict=True))
        ]
        figures = [(tuple(move[:2] for move in moves[at : at + 3]), moves[at][2]) for at in range(len(moves) - 2)]
        seen: set[object] = set()
        for figure, _ in figures:
            repeated.append(figure in seen)
            seen.add(figure)
        opening = {figure for figure, measure in figures if measure <= 2}
        later = {figure for figure, measure in figures if measure > 4}
        kept.append(len(opening & later) / max(1, len(opening)))
    assert sum(repeated) / len(repeated) >= 0.07
    assert sum(kept) / len(kept) >= 0.08


@pytest.mark.parametrize("measures", [8, 12])
def test_a_blues_has_a_riff_that_returns_after_each_answer(measures: int) -> None:
    returns = rhythms = 0
    for seed in range(30):
        bars = bars_of(generate(MelodyRequest(parse_key("A blues"), measures), seed), measures)
        riff = bars[0]
        returns += sum(bar == riff for bar in bars[2 : measures - 1 : 2])
        rhythms += sum([note[:2] for note in bar] == [note[:2] for note in riff] for bar in bars[2 : measures - 1 : 2])
    calls = 30 * len(range(2, measures - 1, 2))
    assert rhythms >= 0.85 * calls
    assert returns >= 0.35 * calls


def test_melodies_repeat_bars_and_end_on_the_tonic() -> None:
    tonic = repeats = 0
    for seed in range(60):
        melody = generate(MelodyRequest(parse_key("D dorian"), 16), seed)
        tonic += melody.pitches[-1] % 12 == 2
        assert melody.timings[-1].duration >= 1
        bars: dict[int, list[tuple[Fraction, int]]] = {}
        for timing, midi in zip(melody.timings, melody.pitches, strict=True):
            bars.setdefault(timing.measure, []).append((timing.onset % 4, midi))
        repeats += len({tuple(bar) for bar in bars.values()}) <= 13
    assert tonic >= 48
    assert repeats >= 40


def test_a_melody_that_is_not_found_in_time_is_an_error() -> None:
    with pytest.raises(MusicError, match="No melody of 8 measures was found in time") as caught:
        generate(MelodyRequest(parse_key("C major"), 8), seed=1, is_out_of_time=lambda: True)
    assert caught.value.code == "GENERATION_FAILED"


def test_the_same_seed_gives_the_same_melody_in_every_process() -> None:
    program = (
        "import json, sys; sys.path.insert(0, sys.argv[1]);"
        "import test_melody_constraints as t; print(json.dumps(t.some_melodies()))"
    )
    answers = [
        subprocess.run(
            [sys.executable, "-c", program, os.path.dirname(__file__)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    ]
    assert answers[0] == answers[1]
    assert json.loads(answers[0]) == json.loads(json.dumps(some_melodies()))


def some_melodies() -> list[list[list[str]] | str]:
    found: list[list[list[str]] | str] = []
    for number in range(40):
        one = random_request(number)
        try:
            melody = generate(one.request, one.seed)
        except MelodyConflict as conflict:
            found.append(conflict.message)
        else:
            found.append([[str(b.onset), str(midi)] for b, midi in zip(melody.timings, melody.pitches, strict=True)])
    return found


def test_another_seed_gives_another_melody() -> None:
    request = MelodyRequest(parse_key("A minor"), 8)
    assert len({generate(request, seed).pitches for seed in range(20)}) == 20
