"""Lists of words, written as text."""


def words(text: str) -> list[str]:
    """Return the words of a text. `words("bd sd")` is shorter to read than a list when there are many."""
    return text.split()
