"""The type of a wrong call, and a check of the error that it returns."""

from typing import Any

WrongCall = tuple[str, dict[str, Any], str]
"""A tool, its arguments, and the words in the error that say how to correct the call."""


def assert_says_how_to_correct(answer: tuple[bool, Any], correction: str, *, in_suggestions: bool = False) -> None:
    """Assert that the answer is an error, or a result with errors, whose message is a sentence with the correction.

    With `in_suggestions` the correction may also be among the suggestions.
    """
    ok, result = answer
    if ok:
        assert result.get("valid") is False, result
        message = "\n".join(result["errors"])
    else:
        message = result["error"]["message"]
    suggestions = result["error"]["suggestions"] if in_suggestions else []
    assert correction in "\n".join([message, *suggestions]), result
    assert message[0].isupper() or message[0] in "'\"", message
    assert message.endswith((".", ".)", "?")), message
