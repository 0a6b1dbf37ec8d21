"""What of a text was not taken over, how often, and in which measures: the warnings of the readers."""

from dataclasses import dataclass, field

_MOST_MEASURES = 8

UNTIED = "ties that lead to no note of the same pitch left out"
UNTIED_BACK = "ties that come from no note of the same pitch left out"


@dataclass(slots=True)
class _Loss:
    count: int = 0
    measures: list[int] = field(default_factory=list)


class Losses:
    def __init__(self) -> None:
        self._found: dict[str, _Loss] = {}

    def add(self, what: str, measure: int, count: int = 1) -> None:
        """Something that is lost in a measure, counted from 1 with the pickup."""
        loss = self._found.setdefault(what, _Loss())
        loss.count += count
        if measure not in loss.measures and len(loss.measures) <= _MOST_MEASURES:
            loss.measures.append(measure)

    def told(self, has_pickup: bool) -> list[str]:
        """A sentence for each kind; measures are numbered as in a score, where a pickup is 0."""
        sentences = []
        for what, loss in self._found.items():
            numbers = [str(measure - has_pickup) for measure in sorted(loss.measures)[:_MOST_MEASURES]]
            more = "…" if len(loss.measures) > _MOST_MEASURES else ""
            where = "measure" if len(numbers) == 1 else "measures"
            sentences.append(f"{loss.count} {what} ({where} {', '.join(numbers)}{more}).")
        return sentences
