"""Collect what a reader left out, how often and in which measures, for its warnings."""

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

    def sentences(self, has_pickup: bool) -> list[str]:
        """Return a sentence for each text that was added. In them a pickup is measure 0, as in a score."""
        sentences = []
        for what, loss in self._found.items():
            numbers = [str(measure - has_pickup) for measure in sorted(loss.measures)[:_MOST_MEASURES]]
            more = "…" if len(loss.measures) > _MOST_MEASURES else ""
            where = "measure" if len(numbers) == 1 else "measures"
            lost = what.format(s="", were="was") if loss.count == 1 else what.format(s="s", were="were")
            sentences.append(f"{loss.count} {lost} ({where} {', '.join(numbers)}{more}).")
        return sentences
