"""Choose beats and bars for moments that stand on the grid of a pulse (`beats.steady_beats`).

Every hypothesis of beats and bars is described by features (`metre_features`). A conditional logit model chooses among
them; its weights are fitted by `benchmarks/training/train_metre_choice.py`.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from consort_music.metre import Metre
from consort_music.notation.performance_to_score.bars.metre_choice_weights import WEIGHTS
from consort_music.notation.performance_to_score.bars.metre_features import BEATS, MetreHypothesis, metre_hypotheses
from consort_music.notation.performance_to_score.beats.steady_beats import TICKS
from consort_music.notation.performance_to_score.notes.played_notes import Moment, PerformedNote

_FASTEST_SWING_S, SLOWEST_SWING_S = 0.28, 0.62
"""In slower beats, long-short pairs are more often quarters and eighths of 6/8."""
_LEAST_BEATS, _LEAST_PAIRS, _MOST_OTHERS = 0.6, 0.5, 0.1
"""Music swings if so many of its beats have a note, so many of these are followed by one on the third third, and few
notes are elsewhere."""
_USUAL_S, _CLOSE = 0.55, 2.5
"""Of equal metres that are worse than the best by less than this, that with the most usual beat is written. In three,
that with the shorter beat: two bars of 3/8 look like one of 3/4 wherever the melody is slow."""
_CERTAIN = 9.0
_SLOW_THIRD_S, _SLOW_THIRD_COST = 0.335, 20.0
"""Thirds of a beat that are slower than this are more often the quarters of 3/4 than the eighths of 6/8: the cost of
the logarithm of their length. The scores to which the weights are fitted are played at any tempo, waltzes too slow."""


class MetreChoice(NamedTuple):
    best: MetreHypothesis
    margin: float
    """How much better it is than the best hypothesis with another kind of metre, in nats."""
    second: int
    """The beats per bar of that one; 0 if there is none."""


def choose_metre(
    notes: Sequence[PerformedNote],
    moments: Sequence[Moment],
    places: Sequence[int | None],
    period: float,
    metre: Metre | None = None,
) -> MetreChoice | None:
    """Return the best hypothesis; None if there is none. `period` is the length of the pulse in seconds.

    Only beats and bars of `metre` are considered, if it is given; and only the beats of swing, if it swings.
    """
    swung = _swung_beat(places, period / TICKS)
    found = [
        (
            sum(weight * value for weight, value in zip(WEIGHTS, features, strict=True))
            - _slowness(hypothesis, period / TICKS),
            hypothesis,
        )
        for hypothesis, features in metre_hypotheses(notes, moments, places, period)
        if (metre is None or (hypothesis.division == 3, hypothesis.beats_per_bar) == _kind_of(metre))
        and (swung is None or hypothesis.beat == swung)
    ]
    if not found:
        return None
    score, best = max(found)
    unit = _USUAL_S * TICKS / period
    is_in_three = best.division == 3 or best.beats_per_bar % 2
    best = min(
        (hypothesis.beat if is_in_three else abs(math.log(hypothesis.beat / unit)), -own, hypothesis)
        for own, hypothesis in found
        if own > score - _CLOSE and _class_of(hypothesis) == _class_of(best)
    )[2]
    others = [
        (other, hypothesis.beats_per_bar) for other, hypothesis in found if _class_of(hypothesis) != _class_of(best)
    ]
    second, beats = max(others, default=(score - _CERTAIN, 0))
    return MetreChoice(best, score - second, beats)


def _slowness(hypothesis: MetreHypothesis, tick_s: float) -> float:
    """Return the cost of slow thirds of a beat."""
    if hypothesis.division != 3:
        return 0.0
    return _SLOW_THIRD_COST * max(math.log(hypothesis.beat * tick_s / 3 / _SLOW_THIRD_S), 0.0)


def _swung_beat(places: Sequence[int | None], tick_s: float) -> int | None:
    """Return the length of a beat that is mostly divided into a long and a short note, two to one; None if none is."""
    known = sorted({place for place in places if place is not None})
    for beat in BEATS:
        if beat % 3 or not _FASTEST_SWING_S <= beat * tick_s <= SLOWEST_SWING_S:
            continue
        beats = (known[-1] - known[0]) / beat
        for phase in range(0, beat, beat // 3):
            inside = Counter((place - phase) % beat for place in known)
            pairs, rest = inside[beat // 3 * 2], len(known) - inside[0] - inside[beat // 3 * 2]
            has_pairs = inside[0] >= _LEAST_BEATS * beats and pairs >= _LEAST_PAIRS * inside[0]
            if has_pairs and rest <= _MOST_OTHERS * len(known):
                return beat
    return None


def _class_of(hypothesis: MetreHypothesis) -> tuple[int, int]:
    """Return what is equal in metres that differ only in the values that are written: 2/4 and 4/4, for example."""
    return hypothesis.division, hypothesis.beats_per_bar % 2


def _kind_of(metre: Metre) -> tuple[bool, int]:
    return metre.is_compound, len(metre.beats)
