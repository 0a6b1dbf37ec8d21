"""Wrong calls and what their answers must say, for the tables of mistakes in tests/journeys."""

from typing import Any

Mistake = tuple[str, dict[str, Any], str]
"""A tool, its arguments, and words of the answer that say how to repair the call."""


def assert_says_how_to_repair(answer: tuple[bool, Any], repair: str, *, or_suggests: bool = False) -> None:
    """Expect an error, or a verdict with errors, whose message is a sentence with the words of the repair.

    With `or_suggests` the words may also be among the suggestions.
    """
    ok, result = answer
    if ok:
        assert result.get("valid") is False, result
        message = "\n".join(result["errors"])
    else:
        message = result["error"]["message"]
    suggestions = result["error"]["suggestions"] if or_suggests else []
    assert repair in "\n".join([message, *suggestions]), result
    assert message[0] in "'\"" or message[0].isupper(), message
    assert message.endswith((".", ".)", "?")), message
