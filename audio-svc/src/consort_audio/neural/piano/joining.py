"""Join the events of overlapping segments to one list per target.

An event that begins or ends at the edge of its segment may be the part of a longer one. If an event overlaps the last
one of its target, it replaces it if its begin was heard, and otherwise extends it.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise


@dataclass
class PianoEvent:
    """A note, or a time in which a pedal is down."""

    target: int
    start: float
    """In seconds, as `end`."""
    end: float
    velocity: int
    score: float
    has_start: bool
    """Whether it begins inside its segment, as has_end for the end."""
    has_end: bool


class EventJoiner:
    def __init__(self) -> None:
        self._events: dict[int, list[PianoEvent]] = defaultdict(list)

    def add(self, event: PianoEvent) -> None:
        """Add an event; the events of a target come in the order of time within a segment."""
        earlier = self._events[event.target]
        if earlier and event.start < earlier[-1].end:
            if event.has_start:
                earlier[-1] = event
            else:
                earlier[-1].has_end = event.has_end
                earlier[-1].end = max(event.end, earlier[-1].end)
        elif event.has_start:
            earlier.append(event)

    def events(self) -> list[PianoEvent]:
        """Return all complete events, in the order of time. Those of a target do not overlap."""
        found = []
        for events in self._events.values():
            if events:
                events[-1].has_end = True  # the recording ends
            complete = sorted((each for each in events if each.has_end), key=lambda each: (each.start, each.end))
            for event, following in pairwise(complete):
                event.end = min(event.end, following.start)
            found += [each for each in complete if each.start < each.end]
        return sorted(found, key=lambda each: (each.start, each.end, each.target))
