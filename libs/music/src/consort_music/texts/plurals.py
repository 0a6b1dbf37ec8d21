"""Choose singular or plural in messages."""


def counted(count: int, noun: str) -> str:
    """Return `1 note`, `2,048 notes`, or `2 velocities`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def were(count: int) -> str:
    """Return the verb for a count: `was` or `were`."""
    return "was" if count == 1 else "were"
