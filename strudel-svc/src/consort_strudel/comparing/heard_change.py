"""Which changes of a measure can be heard, and words for them.

A step is what most listeners just notice between two sounds that follow each other: about 1 dB of level, 5% of the
spectral centroid, 1 dB of a band, and some ms of timing. The measures are explained in docs/listening.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from consort_strudel.comparing.models import HeardMeasure


@dataclass(frozen=True)
class MeasureWords:
    """How a measure is judged and described."""

    step: float
    """The just noticeable step: in the unit of the measure, or a share if `is_ratio`."""
    unit: str
    more: str
    """What it is called if the measure rises; `{}` is the size of the change."""
    less: str
    is_ratio: bool = False
    digits: int = 1


MEASURES: dict[str, MeasureWords] = {
    "loudness": MeasureWords(1.0, " dB", "{} louder", "{} quieter"),
    "brightness": MeasureWords(0.05, "%", "brighter by {}", "darker by {}", is_ratio=True, digits=0),
    "low_balance": MeasureWords(1.0, " dB", "{} more low end", "{} less low end"),
    "mid_balance": MeasureWords(1.0, " dB", "{} more middle", "{} less middle"),
    "high_balance": MeasureWords(1.0, " dB", "{} more highs", "{} less highs"),
    "width": MeasureWords(0.02, "", "wider by {}", "narrower by {}", digits=2),
    "onset_density": MeasureWords(0.05, "%", "{} more onsets", "{} fewer onsets", is_ratio=True, digits=0),
    "swing": MeasureWords(0.04, "", "more swing by {}", "less swing by {}", digits=2),
    "dynamic_range": MeasureWords(1.0, " dB", "{} more dynamic", "{} less dynamic"),
}
"""By measure, in the order in which they are told."""

_SAME = "No difference that can be heard."


def direction_of(name: str, before: float, after: float) -> Literal["up", "down", "unchanged"]:
    """Return how a measure moved, `unchanged` if by less than its just noticeable step."""
    change = _change(MEASURES[name], before, after)
    if abs(change) < MEASURES[name].step:
        return "unchanged"
    return "up" if change > 0 else "down"


def heard_measures(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, HeardMeasure]:
    """Return each measure before and after. Both are empty for silence, and then there is nothing to compare."""
    if not before or not after:
        return {}
    return {
        name: HeardMeasure(
            before=round(before[name], 2),
            after=round(after[name], 2),
            change=_size(words, _change(words, before[name], after[name]), "+")
            if direction_of(name, before[name], after[name]) != "unchanged"
            else "unchanged",
        )
        for name, words in MEASURES.items()
    }


def summary_of(before: Mapping[str, float], after: Mapping[str, float]) -> str:
    """Return one sentence about what can be heard."""
    if not before or not after:
        if not before and not after:
            return "Both are silent."
        return "It is silent after the change." if before else "It was silent before the change, and sounds now."
    found = []
    for name, words in MEASURES.items():
        direction = direction_of(name, before[name], after[name])
        if direction != "unchanged":
            size = _size(words, abs(_change(words, before[name], after[name])))
            found.append((words.more if direction == "up" else words.less).format(size))
    if not found:
        return _SAME
    text = ", ".join(found)
    return f"{text[0].upper()}{text[1:]}."


def _change(words: MeasureWords, before: float, after: float) -> float:
    if not words.is_ratio:
        return after - before
    return (after - before) / max(before, 1e-3)


def _size(words: MeasureWords, change: float, sign: str = "-") -> str:
    """Return a change with its unit; with the sign `+`, also positive ones have a sign."""
    shown = change * 100 if words.is_ratio else change
    return f"{shown:{sign}.{words.digits}f}{words.unit}"
