"""Ask the engine for many cycles in several requests, because each request has a time limit."""

from consort_strudel.engine import Engine, Evaluation, PlayedEvent

CYCLES_AT_ONCE = 32
MOST_EVENTS = 60_000


async def evaluate_cycles(engine: Engine, script: str, begin: int, end: int) -> Evaluation:
    """Return the events from `begin` to `end`, sorted by their begin. If a part fails, return only its error."""
    events: list[PlayedEvent] = []
    messages: dict[str, None] = {}
    count = 0
    part = Evaluation()
    for start in range(begin, end, CYCLES_AT_ONCE):
        part = await engine.evaluate(script, start, min(start + CYCLES_AT_ONCE, end))
        if part.error is not None:
            return part
        events += part.events[: max(MOST_EVENTS - len(events), 0)]
        count += part.event_count
        messages |= dict.fromkeys(part.messages)
    return Evaluation(tuple(events), count, part.cps, part.loaded, tuple(messages))
