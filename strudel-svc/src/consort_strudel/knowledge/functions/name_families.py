"""Names that belong to another function by a rule: `fmh3`, `fm12`, `d1`, `_pianoroll`, `_fast`."""

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class FamilyMember:
    base: str
    """The function it belongs to."""
    difference: str
    """How it differs, as a sentence."""


_FM = "fmi|fm|fmh|fmwave|fmenv|fmattack|fmatt|fmdecay|fmdec|fmsustain|fmsus|fmrelease|fmrel"
_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], FamilyMember]], ...] = (
    (
        re.compile(rf"({_FM})([2-8])"),
        lambda found: FamilyMember(found[1], f"'{found[0]}' sets it for modulating oscillator {found[2]}."),
    ),
    (
        re.compile(r"fmi?([0-8])([0-8])"),
        lambda found: FamilyMember(
            "fmi",
            f"'{found[0]}' sets how strongly oscillator {found[1]} modulates oscillator {found[2]} "
            "(0 is the one that is heard).",
        ),
    ),
    (
        re.compile(r"([dp])([1-9])"),
        lambda found: FamilyMember("p", f"'.{found[0]}' makes the pattern voice {found[2]}, as .p({found[2]}) does."),
    ),
    (
        re.compile(r"q([1-9])"),
        lambda found: FamilyMember("q", f"'.{found[0]}' mutes voice {found[1]}, as .q({found[1]}) does."),
    ),
    (
        re.compile(r"_(pianoroll|punchcard|wordfall|scope|tscope|fscope|spectrum|spiral|pitchwheel|animate|draw)"),
        lambda found: FamilyMember(found[1], f"'{found[0]}' draws it below the line of code."),
    ),
    (
        re.compile(r"_(\w+)"),
        lambda found: FamilyMember(found[1], f"'{found[0]}' takes plain values only, no patterns."),
    ),
)


def family_member(name: str) -> FamilyMember | None:
    """Return what a name of a family means, or None."""
    for pattern, member in _RULES:
        if found := pattern.fullmatch(name):
            return member(found)
    return None
