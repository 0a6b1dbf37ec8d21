"""Sentences of users with the tools that are right as the next call, read from `user_sentences.txt`."""

from importlib.resources import files
from typing import NamedTuple


class UserSentence(NamedTuple):
    text: str
    right_tools: tuple[str, ...]


def user_sentences() -> tuple[UserSentence, ...]:
    lines = files(__package__).joinpath("user_sentences.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split(" | ", 1) for line in lines if line and not line.startswith("#"))
    return tuple(UserSentence(text, tuple(tools.split(","))) for tools, text in pairs)
