"""Sentences of users with the tools that are right as the next call.

The tools' descriptions were improved on those of `user_sentences.txt`. Those of `held_out_sentences.txt` were written
together with most of these by the author of the descriptions, as children, teachers, DJs, composers and others might
say them, and set aside by hash; they were measured five times, and nothing was improved on them. Those of
`unseen_sentences.txt` are older, and nothing was improved on them either.
"""

from importlib.resources import files
from typing import NamedTuple


class UserSentence(NamedTuple):
    text: str
    right_tools: tuple[str, ...]


def user_sentences() -> tuple[UserSentence, ...]:
    return _read("user_sentences.txt")


def held_out_sentences() -> tuple[UserSentence, ...]:
    return _read("held_out_sentences.txt")


def unseen_sentences() -> tuple[UserSentence, ...]:
    return _read("unseen_sentences.txt")


def _read(name: str) -> tuple[UserSentence, ...]:
    lines = files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines()
    pairs = (line.split(" | ", 1) for line in lines if line and not line.startswith("#"))
    return tuple(UserSentence(text, tuple(tools.split(","))) for tools, text in pairs)
