"""Collect what a reader left out, how often and in which measures, for its warnings."""

from collections.abc import Sequence
from dataclasses import dataclass, field

_MOST_MEASURES = 8

UNTIED = "tie{s} without a next note of the same pitch {were} left out"
UNTIED_BACK = "tie{s} without an earlier note of the same pitch {were} left out"


@dataclass(slots=True)
class _Loss:
    count: int = 0
    measures: list[int] = field(default_factory=list)


class Omissions:
    def __init__(self) -> None:
        self._found: dict[str, _Loss] = {}

    def add(self, what: str, measure: int, count: int = 1) -> None:
        """Count something that was left out in a measure. Measures are numbered from 1; a pickup is measure 1.

        `what` is a text with `{s}` and `{were}` for singular and plural: `grace note{s} {were} left out`.
        """
        loss = self._found.setdefault(what, _Loss())
        loss.count += count
        if measure not in loss.measures and len(loss.measures) <= _MOST_MEASURES:
            loss.measures.append(measure)

    def sentences(self, has_pickup: bool, printed: Sequence[int] = ()) -> list[str]:
        """Return a sentence for each text that was added. In them a pickup is measure 0, as in a score.

        `printed` are the printed numbers of the measures, if they are not counted in order.
        """
        sentences = []
        for what, loss in self._found.items():
            places = sorted(loss.measures)[:_MOST_MEASURES]
            numbers = [str(printed[place - 1] if place <= len(printed) else place - has_pickup) for place in places]
            numbers = list(dict.fromkeys(numbers))
            more = "…" if len(loss.measures) > _MOST_MEASURES else ""
            where = "measure" if len(numbers) == 1 else "measures"
            lost = what.format(s="", were="was") if loss.count == 1 else what.format(s="s", were="were")
            sentences.append(f"{loss.count} {lost} ({where} {', '.join(numbers)}{more}).")
        return sentences
