"""The difference between two scripts: a unified diff and the number of changed lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from consort_strudel.projects.patches.line_buffer import split_lines

CONTEXT = 3
MAX_DIFF = 20_000
"""Characters of a diff in an answer."""
MAX_DIFF_IN_ERROR = 4000
MAX_COMPARED = 1_000_000
"""Product of the numbers of lines that are compared one by one; larger changes are one replacement."""

Change = tuple[int, int, int, int]
"""The old lines from the first to the second index are replaced by the new lines from the third to the fourth."""


@dataclass(frozen=True)
class ScriptDiff:
    text: str
    """Unified diff with three lines of context, or an empty text."""
    lines_changed: int
    """Lines added, removed or replaced; a replaced line counts once."""


def diff_scripts(old: str, new: str, old_name: str = "before", new_name: str = "after") -> ScriptDiff:
    before, after = split_lines(old), split_lines(new)
    changes = list(_changes(before, after))
    if not changes:
        return ScriptDiff("", 0)
    out = [f"--- {old_name}", f"+++ {new_name}"]
    for hunk in _hunks(changes):
        start_old, start_new = max(0, hunk[0][0] - CONTEXT), max(0, hunk[0][2] - CONTEXT)
        end_old, end_new = min(len(before), hunk[-1][1] + CONTEXT), min(len(after), hunk[-1][3] + CONTEXT)
        out.append(f"@@ -{_range(start_old, end_old)} +{_range(start_new, end_new)} @@")
        place = start_old
        for first_old, last_old, first_new, last_new in hunk:
            out += [f" {line}" for line in before[place:first_old]]
            out += [f"-{line}" for line in before[first_old:last_old]]
            out += [f"+{line}" for line in after[first_new:last_new]]
            place = last_old
        out += [f" {line}" for line in before[place:end_old]]
    changed = sum(max(change[1] - change[0], change[3] - change[2]) for change in changes)
    return ScriptDiff("\n".join(out) + "\n", changed)


def _changes(before: list[str], after: list[str]) -> Iterator[Change]:
    """Yield the changes in order. Equal lines at both ends are set aside first, so that most changes cost little."""
    shortest = min(len(before), len(after))
    head = next((place for place in range(shortest) if before[place] != after[place]), shortest)
    tail = next((place for place in range(shortest - head) if before[-1 - place] != after[-1 - place]), shortest - head)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if not old and not new:
        return
    if len(old) * len(new) > MAX_COMPARED:
        yield head, head + len(old), head, head + len(new)
        return
    for kind, first_old, last_old, first_new, last_new in SequenceMatcher(None, old, new).get_opcodes():
        if kind != "equal":
            yield head + first_old, head + last_old, head + first_new, head + last_new


def _hunks(changes: list[Change]) -> Iterator[list[Change]]:
    """Group changes whose context would touch."""
    hunk: list[Change] = []
    for change in changes:
        if hunk and change[0] - hunk[-1][1] > 2 * CONTEXT:
            yield hunk
            hunk = []
        hunk.append(change)
    yield hunk


def _range(start: int, end: int) -> str:
    """Return a range of lines as unified diffs write it: the first line from 1 and the number of lines."""
    count = end - start
    return f"{start + 1}" if count == 1 else f"{start + 1 if count else start},{count}"


def shortened(diff: str, limit: int) -> str:
    """Return a diff of at most about `limit` characters. A last line says how many lines are left out."""
    if len(diff) <= limit:
        return diff
    kept = diff[:limit].rpartition("\n")[0]
    return f"{kept}\n… {diff.count(chr(10)) - kept.count(chr(10)) - 1} more lines\n"
