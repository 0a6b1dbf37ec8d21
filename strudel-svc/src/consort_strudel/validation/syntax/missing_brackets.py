"""Find where a bracket of a script is missing. Several places would make it valid; return the most probable one.

The end of the text says only that some bracket is open. Better evidence is a new statement inside a bracket, a number
with a method, a control with several arguments, a control behind a plain string, and lines that leave a bracket open.
"""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

CLOSERS = {"(": ")", "[": "]", "{": "}"}
_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|$))
    |(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)
    |(?P<name>[A-Za-z_$][\w$]*)
    |(?P<number>\d+(?:\.\d+)?|\.\d+)
    |(?P<space>\s+)
    |(?P<sign>=>|.)""",
    re.DOTALL | re.VERBOSE,
)
_NEW_STATEMENT = re.compile(
    r"^[ \t]*(?=(?:const|let|var)\s)|^(?=[\w$]+:(?!:))|^(?=(?:setcpm|setcps|samples)\()", re.MULTILINE
)
_LONGEST_NAME = 60
_LONGEST_CHAIN = 500
"""The number of tokens of an argument that are read, so that deep scripts do not take long."""
_LINE_GOES_ON = (",", "=>", "(", "[", "{", "+", "-", "*", "/", "?", ":", "=")


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    line: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class MissingBracket(NamedTuple):
    offset: int
    """Where to write it, probably."""
    partner: int
    """The offset of the bracket that has no partner without it."""
    after: str = ""
    """The name of the function before a missing opening bracket."""


class _Call(NamedTuple):
    name: Token
    opener: int
    arguments: tuple[tuple[int, int], ...]
    """First token of each argument, and the token behind its last one."""


def missing_bracket(script: str, names: Set[str], controls: Set[str]) -> MissingBracket | None:
    """Return the bracket that is missing, or None. `names` are all that the engine knows."""
    tokens = list(_tokens(script))
    statements = {match.end() for match in _NEW_STATEMENT.finditer(script)}
    open_brackets: list[int] = []
    first = 0
    for place, token in enumerate(tokens):
        if token.start in statements:
            if open_brackets and tokens[open_brackets[-1]].text != "{":
                return _missing_closer(tokens[first:place], [each - first for each in open_brackets], controls)
            first = first if open_brackets else place
        if token.kind != "sign":
            continue
        if token.text in CLOSERS:
            open_brackets.append(place)
        elif token.text in CLOSERS.values():
            if not open_brackets:
                return _missing_opener(tokens[first:place], token, names)
            opener = tokens[open_brackets[-1]]
            if CLOSERS[opener.text] != token.text:
                found = _missing_opener(tokens[open_brackets[-1] : place], token, names)
                if found or not any(CLOSERS[tokens[each].text] == token.text for each in open_brackets):
                    return found or _missing_opener(tokens[first:place], token, names)
                begin = open_brackets[-1] - (open_brackets[-1] > 0)  # with the name of the call
                return _missing_closer(tokens[begin:place], [open_brackets[-1] - begin], controls)
            open_brackets.pop()
    if open_brackets:
        return _missing_closer(tokens[first:], [each - first for each in open_brackets], controls)
    return None


def _tokens(script: str) -> Iterator[Token]:
    line = 0
    for match in _TOKEN.finditer(script):
        if match.lastgroup not in ("comment", "space"):
            yield Token(str(match.lastgroup), match[0], match.start(), line)
        line += match[0].count("\n")


def _missing_opener(tokens: Sequence[Token], closer: Token, names: Set[str]) -> MissingBracket | None:
    """Look back for a name that runs into its argument: `slow2`, `s"bd"`, `pick[...]`, `layerx => ...`."""
    for place in range(len(tokens) - 1, -1, -1):
        name = tokens[place]
        following = tokens[place + 1] if place + 1 < len(tokens) else closer
        if name.kind != "name" or (place and tokens[place - 1].kind in ("name", "number")):
            continue
        is_known, touches = name.text in names, following.start == name.end
        runs_into = following.kind in ("string", "number") or following.text in ("[", "{")
        if is_known and touches and runs_into and not following.text.startswith("`"):
            return MissingBracket(name.end, closer.start, name.text)
        if is_known:
            continue
        length = _known_beginning(name.text, names, following.text == "=>")
        if length:
            return MissingBracket(name.start + length, closer.start, name.text[:length])
    return None


def _known_beginning(word: str, names: Set[str], is_parameter: bool) -> int:
    """Return the length of a known name at the start of a word if the rest is a number, a known name or a parameter."""
    for length in range(min(len(word) - 1, _LONGEST_NAME), 0, -1):
        rest = word[length:]
        if word[:length] in names and (rest.isdigit() or (length > 1 and (rest in names or is_parameter))):
            return length
    return 0


def _missing_closer(tokens: Sequence[Token], unclosed: Sequence[int], controls: Set[str]) -> MissingBracket:
    """Return the most probable place in some tokens, in which all these brackets are open at the end."""
    opener = tokens[unclosed[-1]]
    if opener.text == "(":
        for finding in (_number_with_method(tokens), _two_calls_in_one(tokens, controls)):
            if finding:
                return finding
    return _open_line(tokens) or MissingBracket(_end(tokens), opener.start)


def _end(tokens: Sequence[Token]) -> int:
    return tokens[-1].start if tokens[-1].text == ";" else tokens[-1].end


def _number_with_method(tokens: Sequence[Token]) -> MissingBracket | None:
    """Find `slow(4.gain(...)`: a whole number cannot have a method."""
    open_brackets: list[Token] = []
    for place, token in enumerate(tokens[:-2]):
        if token.text in CLOSERS:
            open_brackets.append(token)
        elif token.text in CLOSERS.values() and open_brackets:
            open_brackets.pop()
        dot, name = tokens[place + 1 : place + 3]
        if token.text.isdigit() and dot.text == "." and name.kind == "name" and open_brackets:
            return MissingBracket(token.end, open_brackets[-1].start)
    return None


def _two_calls_in_one(tokens: Sequence[Token], controls: Set[str]) -> MissingBracket | None:
    """Find `s("saw".lpf(400), note("c"))`: a control with several arguments, or behind what is no sound yet."""
    calls = [call for call in _calls(tokens) if call.name.text in controls]
    for call in (*(call for call in calls if len(call.arguments) > 1), *calls):
        start, end = call.arguments[0] if call.arguments else (0, 0)
        before_control = _before_control(tokens, start, end, controls)
        if before_control:
            return MissingBracket(before_control.end, tokens[call.opener].start)
        if len(call.arguments) > 1:
            return MissingBracket(tokens[end - 1].end, tokens[call.opener].start)
    return None


def _before_control(tokens: Sequence[Token], start: int, end: int, controls: Set[str]) -> Token | None:
    """Return what is before the first control in a chain that begins with a string, a number or a name like `sine`."""
    if start + 1 >= end or tokens[start].kind == "sign" or tokens[start + 1].text != ".":
        return None
    depth = 0
    for place in range(start, min(end - 2, start + _LONGEST_CHAIN)):
        text = tokens[place].text
        depth += (text in CLOSERS) - (text in CLOSERS.values())
        if depth == 0 and text == "." and tokens[place + 1].text in controls and tokens[place + 2].text == "(":
            return tokens[place - 1]
    return None


def _calls(tokens: Sequence[Token]) -> list[_Call]:
    """Return the calls in the order in which they begin. One that is not closed ends with the tokens."""
    found: list[_Call] = []
    stack: list[tuple[int, list[int]]] = []

    def close(end: int) -> None:
        opener, commas = stack.pop()
        name = tokens[opener - 1] if opener else tokens[opener]
        if tokens[opener].text == "(" and name.kind == "name":
            cuts = [opener, *commas, end]
            parts = tuple((one + 1, other) for one, other in pairwise(cuts) if other > one + 1)
            found.append(_Call(name, opener, parts))

    for place, token in enumerate(tokens):
        if token.kind != "sign":
            continue
        if token.text in CLOSERS:
            stack.append((place, []))
        elif token.text in CLOSERS.values() and stack:
            close(place)
        elif token.text == "," and stack:
            stack[-1][1].append(place)
    while stack:
        close(len(tokens))
    return sorted(found, key=lambda call: call.opener)


def _open_line(tokens: Sequence[Token]) -> MissingBracket | None:
    """Find a line that leaves a bracket open although it does not end as a line that goes on, or its item is over."""
    lines: dict[int, list[Token]] = {}
    for token in tokens:
        lines.setdefault(token.line, []).append(token)
    rows = list(lines.values())
    outer = 0  # brackets that earlier lines opened
    for row, following in pairwise(rows):
        unclosed: list[Token] = []
        for token in row:
            if token.kind == "sign" and token.text in CLOSERS:
                unclosed.append(token)
            elif token.kind == "sign" and token.text in CLOSERS.values():
                if unclosed:
                    unclosed.pop()
                else:
                    outer -= 1
        last = row[-1]
        is_item = last.text == "," and outer > 0 and len(row) > 1
        if unclosed and (last.text not in _LINE_GOES_ON or is_item) and _is_over(following):
            end = last.start if last.text == "," else last.end
            return MissingBracket(end, unclosed[-1].start)
        outer += len(unclosed)
    return None


def _is_over(following: Sequence[Token]) -> bool:
    """Return whether the next line begins something else: a method of the whole, a closing bracket, or another item."""
    return following[0].text in (".", *CLOSERS.values()) or following[0].kind == "name"
