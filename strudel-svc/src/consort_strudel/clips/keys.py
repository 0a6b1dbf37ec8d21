"""Keys of clips in one spelling, so that `Am` finds `A minor`."""

from consort_strudel.projects.metadata import readable_key


def key_in_one_spelling(text: str) -> str:
    """Return a key's usual name, or the text in lower case if it is none."""
    key = readable_key(text)
    return str(key).lower() if key is not None else " ".join(text.lower().split())
