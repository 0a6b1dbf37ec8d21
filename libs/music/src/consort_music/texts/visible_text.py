"""Remove characters that nobody sees from names, titles, lyrics, markers and descriptions.

Such characters could hide a message to an assistant, change the direction of text, or make two names look equal. They
are control, format, private and unassigned characters (Unicode's categories C*), its default-ignorable characters
(such as variation selectors and tags), and blank letters. Three things stay: one variation selector after an emoji, one
joiner between two letters or between two emoji, and the flags of England, Scotland and Wales. Unicode's line breaks
become spaces. Code, XML and files are never changed; only the texts that are taken out of them.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_LINES = "\t\n\r"
_BREAKS = "\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029"
_JOINERS = "\u200c\u200d"
_EMOJI_SELECTORS = "\ufe0e\ufe0f"
_KEYCAP = "\u20e3"
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U0001d159\U000e0000-\U000e0fff]"
)
"""Default-ignorable characters outside the categories C*, and signs without ink: braille blank and null notehead."""
_EMOJI = re.compile(
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa\u24c2"
    "\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2604\u260e\u2611\u2614-\u2618\u261d\u2620-\u2626\u262a\u262e\u262f"
    "\u2638-\u263a\u2640\u2642\u2648-\u2653\u265f-\u2668\u267b\u267e\u267f\u2692-\u269c\u26a0-\u26ab\u26b0\u26b1"
    "\u26bd-\u26d4\u26e9-\u26fd\u2702-\u2716\u271d\u2721\u2728\u2733\u2734\u2744\u2747\u274c\u274e\u2753-\u2757\u2763"
    "\u2764\u2795-\u2797\u27a1\u27b0\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001faff]"
)
_FLAG_TAGS = {
    "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f" for region in ("gbeng", "gbsct", "gbwls")
}
_FLAG = re.compile(f"(?<=\U0001f3f4)(?:{'|'.join(sorted(_FLAG_TAGS))})")

_removals: ContextVar[list[str] | None] = ContextVar("removals", default=None)


@contextmanager
def note_removals() -> Iterator[list[str]]:
    """Collect the `source` of each text from which `visible_text` removes something inside the block."""
    noted: list[str] = []
    token = _removals.set(noted)
    try:
        yield noted
    finally:
        _removals.reset(token)


def with_removals(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> tuple[T, list[str]]:
    """Return the function's result and the removals, for a process that calls the function for another."""
    with note_removals() as removals:
        return function(*args, **kwargs), removals


def add_removals(sources: list[str]) -> None:
    """Add removals that were noted elsewhere, such as in a child process."""
    noted = _removals.get()
    if noted is not None:
        noted.extend(source for source in sources if source not in noted)


def visible_text(text: str, source: str = "") -> str:
    """Return a text without invisible characters. Tabs and line ends stay.

    `source` is the name of the field that a removal is reported for, empty for texts in a file. Control characters are
    removed without a report, because many programs end or fill the names in their files with them.
    """
    kept = _without_hidden(text)
    if kept != text and any(_is_hidden(letter) and unicodedata.category(letter) != "Cc" for letter in text):
        add_removals([source])
    return kept


def visible_line(text: str, source: str = "") -> str:
    """Return a text as one line without invisible characters, with single spaces between words."""
    return " ".join(visible_text(text, source).split())


def is_visible_line(text: str) -> bool:
    """Return whether a text is one line without invisible characters."""
    return not any(letter in text for letter in _LINES) and _without_hidden(text) == text


def _without_hidden(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    kept: list[str] = []
    place = 0
    while place < len(text):
        letter = text[place]
        if flag := _FLAG.match(text, place):
            kept.append(flag[0])
            place = flag.end()
            continue
        if letter in _BREAKS:
            kept.append(" ")
        elif not _is_hidden(letter) or _has_a_use(text, place):
            kept.append(letter)
        place += 1
    return "".join(kept)


def _is_hidden(letter: str) -> bool:
    if letter in _LINES or _EMOJI.match(letter):  # an emoji may be newer than Python's table of categories
        return False
    return letter in _BREAKS or unicodedata.category(letter).startswith("C") or _BLANK.match(letter) is not None


def _has_a_use(text: str, place: int) -> bool:
    """Return whether a variation selector chooses the look of an emoji, or a joiner joins two letters or two emoji."""
    letter, before, after = text[place], text[place - 1 : place], text[place + 1 : place + 2]
    if letter in _EMOJI_SELECTORS:
        return bool(_EMOJI.fullmatch(before)) or (before in tuple("0123456789#*") and after == _KEYCAP)
    if letter not in _JOINERS:
        return False
    if before and before in _EMOJI_SELECTORS:
        before = text[place - 2 : place - 1]
    if _EMOJI.fullmatch(before):
        return _EMOJI.fullmatch(after) is not None
    return _is_letter(before) and before == text[place - 1] and _is_letter(after)


def _is_letter(letter: str) -> bool:
    return bool(letter) and unicodedata.category(letter)[0] in "LM" and not _is_hidden(letter)
