"""Find the bracket or quote that has no partner, where the parser only says that the text ended."""

from typing import NamedTuple

_PARTNERS = {")": "(", "]": "[", "}": "{"}
_MINI_PARTNERS = {"]": "[", ">": "<", "}": "{", ")": "("}
_CLOSERS = {opener: closer for closer, opener in (_PARTNERS | _MINI_PARTNERS).items()}


class Unmatched(NamedTuple):
    offset: int
    character: str

    @property
    def missing(self) -> str:
        """The partner that is missing."""
        return _CLOSERS.get(self.character) or (_PARTNERS | _MINI_PARTNERS).get(self.character, self.character)

    @property
    def message(self) -> str:
        if self.character in "\"'`":
            return f"The string that begins here has no closing {self.character}."
        kind = "closing" if self.character in _CLOSERS else "opening"
        return f"'{self.character}' has no {kind} '{self.missing}'."


def unmatched_in_script(script: str) -> Unmatched | None:
    """Return the first bracket or quote of a script without a partner. Strings and comments are skipped."""
    open_brackets: list[Unmatched] = []
    place = 0
    while place < len(script):
        character = script[place]
        if script.startswith("//", place):
            place = _found(script, "\n", place)
        elif script.startswith("/*", place):
            place = _found(script, "*/", place + 2) + 1
        elif character in "\"'`":
            end = _end_of_string(script, place)
            if end is None:
                return Unmatched(place, character)
            place = end
        elif character in "([{":
            open_brackets.append(Unmatched(place, character))
        elif character in ")]}":
            if not open_brackets:
                return Unmatched(place, character)
            last = open_brackets.pop()
            if last.character != _PARTNERS[character]:
                return _guilty(last, Unmatched(place, character), open_brackets)
        place += 1
    return open_brackets[-1] if open_brackets else None


def unclosed_string(script: str) -> Unmatched | None:
    """Return the string that has no end, or None."""
    found = unmatched_in_script(script)
    return found if found and found.character in "\"'`" else None


def unmatched_in_mini(text: str) -> Unmatched | None:
    """Return the first bracket of a mini-notation without a partner."""
    open_brackets: list[Unmatched] = []
    for place, character in enumerate(text):
        if character in "[<{(":
            open_brackets.append(Unmatched(place, character))
        elif character in _MINI_PARTNERS:
            if not open_brackets:
                return Unmatched(place, character)
            last = open_brackets.pop()
            if last.character != _MINI_PARTNERS[character]:
                return _guilty(last, Unmatched(place, character), open_brackets)
    return open_brackets[-1] if open_brackets else None


def _guilty(last: Unmatched, closer: Unmatched, before: list[Unmatched]) -> Unmatched:
    """Return which of two brackets that do not match is the one too many: the closer closes an earlier one, or not."""
    return last if any(bracket.character == closer.missing for bracket in before) else closer


def _found(script: str, text: str, place: int) -> int:
    end = script.find(text, place)
    return len(script) if end < 0 else end


def _end_of_string(script: str, start: int) -> int | None:
    quote = script[start]
    place = start + 1
    while place < len(script):
        if script[place] == "\\":
            place += 1
        elif script[place] == quote:
            return place
        elif script[place] == "\n" and quote != "`":
            return None
        place += 1
    return None
