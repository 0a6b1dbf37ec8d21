"""Group similar problems for the answer, which shows their number and first places. Likely mistakes come first."""

from collections.abc import Iterable
from typing import get_args

from consort_compose.songs.checks.problems import Problem
from consort_compose.songs.document.song import Song
from consort_compose.songs.document.timeline import Timeline
from consort_compose.songs.models.checks import ProblemInfo, ProblemKind
from consort_music.beats import format_beats

_ORDER = get_args(ProblemKind)


def group_problems(problems: Iterable[Problem]) -> list[list[Problem]]:
    """Group problems of the same kind, track and group message. `problems` are sorted by beat, and so is each group."""
    groups: dict[tuple[str, str | None, str], list[Problem]] = {}
    for problem in problems:
        groups.setdefault((problem.kind, problem.track, problem.group_message), []).append(problem)
    return sorted(groups.values(), key=lambda group: (_ORDER.index(group[0].kind), group[0].start))


def describe_problems(song: Song, groups: Iterable[list[Problem]], places: int) -> list[ProblemInfo]:
    """Return the groups for the answer, each with at most `places` places."""
    timeline = Timeline(song)
    return [
        ProblemInfo(
            kind=group[0].kind,
            track=group[0].track,
            message=group[0].message if len(group) == 1 else group[0].group_message,
            count=len(group),
            places=_places(timeline, group, places),
        )
        for group in groups
    ]


def _places(timeline: Timeline, group: list[Problem], most: int) -> str | None:
    if group[0].kind == "empty_track":
        return None
    shown = ", ".join(_place(timeline, problem) for problem in group[:most])
    return shown + (f" and {len(group) - most} more" if len(group) > most else "")


def _place(timeline: Timeline, problem: Problem) -> str:
    if problem.bars:
        return problem.bars
    place = timeline.place(problem.start)
    return f"bar {place.measure} beat {format_beats(place.beat)}"
