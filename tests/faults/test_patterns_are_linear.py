"""No text makes a regular expression slow: the cost of every pattern grows with the length of the text, not faster.

Patterns of Pydantic fields are not measured: its engine (Rust's `regex`) is linear. Patterns of users run in RE2.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from consort_compose.songs.notes.note_text import read_note_text
from consort_music.chords.progression import read_progression
from consort_music.errors import MusicError
from consort_music.notation.abc.reader import read_abc
from consort_music.notation.note_list import parse_note_list
from consort_music.note_sequence.midi_text import read_midi_text
from tests.support.errors_and_faults.pattern_attacks import (
    AttackText,
    UsedPattern,
    attacks_on,
    growth_beyond_linear,
    patterns_of,
)

ROOT = Path(__file__).parents[2]
FOLDERS = (
    "libs/kit",
    "libs/music",
    "compose-svc",
    "midi-store-svc",
    "strudel-svc",
    "playback-agent",
    "audio-svc",
    "gateway",
)
OUR_TEXT = ("consort_compose.notation.engraving",)
"""Modules whose patterns see only what Consort itself wrote, with all text of users escaped."""
LENGTH_CAPS = {
    ("consort_music.beats", r"[ \t]*([0-9]+(?:\.[0-9]*)?|\.[0-9]+|[-+*/()])"): 128,
    ("consort_music.chords.grammar", r"(?<=[0-9]) +(?=[b#+-]?[0-9][^(]*\))"): 40,
    ("consort_strudel.structure.headings", r"\s*[(\[,:;|]\s*|\s+[-\u2013\u2014/]+\s+"): 100,
    ("consort_strudel.structure.headings", r"\s+(?:and|&|\+|n)\s+|\s*[&+/]\s*"): 100,
    ("consort_music.chords.suggestions", r"/+([A-Ha-h])((?:bb|##|b|#)?)[^/]*$"): 24,
}
"""Patterns that see only short texts, because the caller rejects or cuts longer ones."""


def modules_with_patterns() -> dict[str, Path]:
    files = (file for folder in FOLDERS for file in sorted((ROOT / folder / "src").rglob("*.py")))
    return {
        ".".join(file.relative_to(next(p for p in file.parents if p.name == "src")).with_suffix("").parts): file
        for file in files
        if re.search(r"\bre\.(compile|match|fullmatch|search|sub|split|findall|finditer)\(", file.read_text("utf-8"))
    }


MODULES = modules_with_patterns()


def test_all_patterns_are_found() -> None:
    assert len(MODULES) > 40
    name = "consort_music.notation.abc.reader"
    assert {"[A-Ga-g]", r"\s*X:"} <= {used.pattern for used in patterns_of(name, MODULES[name])}


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(?m)^\s*(tempo|time|track)\b", "search"),
        (r"\s*[|,/]\s*", "split"),
        (r"(a|aa)+$", "match"),
        (r",(?![^(]*\))", "split"),
        (r"x*y", "search"),
    ],
)
def test_slow_patterns_are_noticed(pattern: str, method: str) -> None:
    used = UsedPattern(pattern, 0, frozenset([method]))
    assert growth_beyond_linear(caller(used, method), attacks_on(used))


@pytest.mark.parametrize("module", [name for name in MODULES if not name.startswith(OUR_TEXT)])
def test_the_cost_of_a_pattern_grows_with_the_text(module: str) -> None:
    for used in patterns_of(module, MODULES[module]):
        longest = LENGTH_CAPS.get((module, used.pattern), 100_000)
        for method in used.methods:
            assert not growth_beyond_linear(caller(used, method), attacks_on(used), longest), (used.pattern, method)


def caller(used: UsedPattern, method: str) -> Callable[[str], object]:
    pattern = re.compile(used.pattern, used.flags)
    if method == "sub":
        return lambda text: pattern.sub("", text)
    if method == "finditer":
        return pattern.findall
    call: Callable[[str], object] = getattr(pattern, method)
    return call


READERS: dict[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "ABC": (
        lambda text: read_abc(f"X:1\nK:C\n{text}"),
        ("consort_music.notation.abc.reader", "consort_music.notation.abc.fields"),
    ),
    "note list": (parse_note_list, ("consort_music.notation.note_list", "consort_music.notation.read_music")),
    "MIDI text": (lambda text: read_midi_text(f"tempo 120\n{text}"), ("consort_music.note_sequence.midi_text",)),
    "notes of a song": (read_note_text, ("consort_compose.songs.notes.note_text",)),
    "progression": (lambda text: read_progression(text[:40_000]), ("consort_music.chords.progression",)),
}
"""Functions that read long texts piece by piece, and the modules whose patterns they use."""
MORE_ATTACKS = [
    AttackText("", unit, end)
    for unit in (
        " ",
        "\n",
        "\t",
        ";",
        ",",
        "|",
        "C",
        "C ",
        "C4 ",
        "C4;",
        "C4,",
        "C>",
        "[",
        "(",
        "((",
        '"',
        "!",
        "+",
        "-",
    )
    for end in ("", "\0")
]


@pytest.mark.long
@pytest.mark.parametrize("name", READERS)
def test_the_cost_of_reading_grows_with_the_text(name: str) -> None:
    read, modules = READERS[name]

    def attempt(text: str) -> None:
        with suppress(MusicError):
            read(text)

    attacks = [
        attack for module in modules for used in patterns_of(module, MODULES[module]) for attack in attacks_on(used)
    ]
    found = growth_beyond_linear(attempt, list(dict.fromkeys([*attacks, *MORE_ATTACKS])))
    assert found is None, found
