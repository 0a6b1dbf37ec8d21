"""Names of scales that the engine cannot read."""

import re
from collections.abc import Iterator

from consort_strudel.engine import EngineNames, ScriptFacts, ScriptString
from consort_strudel.validation.finding import ScriptFinding, error
from consort_strudel.validation.spelling import nearest
from consort_strudel.validation.written.arguments import is_operand

_TONIC = re.compile(r"^[A-Ga-g](#+|b+)?(-?\d+)?$")
_TONIC_AND_MODE = re.compile(r"^([A-Ga-g][#b]?)(\w+)$")
_LETTER = re.compile(r"[A-Za-z]")
_CHANGING_PART = re.compile(r":\s*[<\[{]|[>\]}]\s*:")
"""A part of a scale that changes, as in `C:<major minor>`: only the engine knows which scales these are."""
_USUAL = "major, minor, dorian, mixolydian, minor:pentatonic"


Word = tuple[int, str]
"""Place and text."""


def unknown_scales(facts: ScriptFacts, names: EngineNames) -> Iterator[ScriptFinding]:
    """Yield an error for each scale whose tonic or mode does not exist."""
    for call in facts.calls:
        if call.name != "scale" or call.is_property or not call.args or call.args[0].index is None:
            continue
        string = facts.strings[call.args[0].index]
        if string.is_mini and (blanks := list(_written_with_blank(string, names))):
            yield from blanks
        elif string.error is None and not _CHANGING_PART.search(string.value):
            for words in _in_mini(string, facts) if string.is_mini else _in_text(string):
                yield from _problem(words, names)


def _in_text(string: ScriptString) -> Iterator[list[Word]]:
    """Yield the words of a scale in single quotes: `C minor` or `C:minor`."""
    yield [(string.start + 1 + found.start(), found[0]) for found in re.finditer(r"[^:\s]+", string.value)]


def _in_mini(string: ScriptString, facts: ScriptFacts) -> Iterator[list[Word]]:
    """Yield the words of each scale: `C:minor:pentatonic` is three leaves with colons between."""
    found: list[list[Word]] = []
    last_end = -1
    for start, end, text in sorted(string.leaves):
        if found and facts.script[last_end:start] == ":":
            found[-1].append((start, text))
        elif not is_operand(facts.script, start, string.start) and _LETTER.match(text):
            found.append([(start, text)])
        else:
            continue
        last_end = end
    yield from found


def _written_with_blank(string: ScriptString, names: EngineNames) -> Iterator[ScriptFinding]:
    """Yield the error for `C major` or `C:minor pentatonic` in double quotes, where a blank separates two values."""
    tonic, *mode = string.value.replace(":", " ").split() or [""]
    if re.search(r"\s", string.value.strip()) and _TONIC.match(tonic) and " ".join(mode).lower() in names.scales:
        written = ":".join([tonic, *mode])
        yield error(string.start + 1, f"'{string.value}' is several values here.", f'Write "{written}".')


def _problem(words: list[Word], names: EngineNames) -> Iterator[ScriptFinding]:
    if not words:
        return
    (start, tonic), modes = words[0], words[1:]
    mode = " ".join(text for _, text in modes).lower()
    if not _TONIC.match(tonic):
        if tonic.lower() in names.scales:
            yield error(start, f"The scale '{tonic}' has no tonic.", f'Write "C:{tonic}", without blanks.')
        elif (joined := _TONIC_AND_MODE.match(tonic)) and joined[2].lower() in names.scales:
            yield error(
                start, f"The tonic and the mode of '{tonic}' need a colon.", f'Write "{joined[1]}:{joined[2]}".'
            )
        else:
            yield error(
                start,
                f"'{' '.join([tonic, *mode.split()])}' is not a key.",
                "Tonics are A to G, then # or b: C:minor, F#:dorian.",
            )
    elif not mode:
        yield error(start, f"The scale '{tonic}' has no mode.", f'Write "{tonic}:major" or "{tonic}:minor".')
    elif mode not in names.scales:
        near = nearest(mode, names.scales)
        fix = f"Did you mean '{tonic}:{near[0].replace(' ', ':')}'?" if near else f"For example {_USUAL}."
        yield error(modes[0][0], f"There is no scale '{mode}'.", fix)
