"""Unified diffs of scripts, checked by applying them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from consort_strudel.projects.patches.diff import diff_scripts, shortened

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
lines_of_scripts = st.lists(st.sampled_from(["a", "b", "c", "  d", ""]), max_size=30)


def applied(diff: str, old: list[str]) -> list[str]:
    """Apply a unified diff strictly: positions, counts, context and removed lines must be right."""
    new: list[str] = []
    place = 0
    rows = diff.split("\n")[2:-1]
    while rows:
        header = HUNK.fullmatch(rows.pop(0))
        assert header is not None
        count_old, count_new = (int(header[group] or 1) for group in (2, 4))
        start = int(header[1]) - (1 if count_old else 0)
        new += old[place:start]
        assert len(new) == int(header[3]) - (1 if count_new else 0)
        place = start
        while count_old or count_new:
            kind, text = rows[0][0], rows.pop(0)[1:]
            if kind in " -":
                assert old[place] == text
                place += 1
                count_old -= 1
            if kind in " +":
                new.append(text)
                count_new -= 1
    return new + old[place:]


@given(lines_of_scripts, lines_of_scripts)
def test_a_diff_turns_the_old_script_into_the_new_one(old: list[str], new: list[str]) -> None:
    diff = diff_scripts("".join(f"{line}\n" for line in old), "".join(f"{line}\n" for line in new))
    assert applied(diff.text, old) == new if diff.text else old == new
    assert (diff.lines_changed == 0) == (old == new)


def test_a_replaced_line_counts_once() -> None:
    assert diff_scripts("a\nb\nc\n", "a\nB\nc\n").lines_changed == 1
    assert diff_scripts("a\nb\nc\n", "a\nB\nB2\nc\nd\n").lines_changed == 3


def test_large_scripts_are_compared_quickly() -> None:
    """A change of everything in a large script is one replacement; it is not compared line by line."""
    old = "".join(f"old{number % 90}\n" for number in range(8000))
    new = "".join(f"new{number % 90}\n" for number in range(8000))
    assert diff_scripts(old, new).lines_changed == 8000


def test_a_long_diff_is_cut_at_a_line() -> None:
    text = diff_scripts("", "".join(f"line {number}\n" for number in range(100))).text
    short = shortened(text, 200)
    kept = short.split("\n")[:-2]
    assert len(short) < 230 and text.split("\n")[: len(kept)] == kept
    assert short.endswith(f"… {text.count(chr(10)) - len(kept)} more lines\n")
