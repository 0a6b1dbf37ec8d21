"""Group equal problems: how many, and the first places. Likely mistakes come first."""

from collections.abc import Iterable
from typing import get_args

from consort_compose.songs.checks import Kind, Problem
from consort_compose.songs.models import ProblemInfo
from consort_compose.songs.song import Song
from consort_compose.songs.timeline import Timeline
from consort_music.beats import shown_beats

_ORDER = get_args(Kind)


def grouped(problems: Iterable[Problem]) -> list[list[Problem]]:
    """Group problems of one kind and track with the same message, each group in the order of time."""
    groups: dict[tuple[str, str | None, str], list[Problem]] = {}
    for problem in problems:
        groups.setdefault((problem.kind, problem.track, problem.alike), []).append(problem)
    return sorted(groups.values(), key=lambda group: (_ORDER.index(group[0].kind), group[0].start))


def problems_info(song: Song, groups: Iterable[list[Problem]], places: int) -> list[ProblemInfo]:
    """Return the groups for an answer, each with at most `places` places."""
    timeline = Timeline(song)
    return [
        ProblemInfo(
            kind=group[0].kind,
            track=group[0].track,
            message=group[0].message if len(group) == 1 else group[0].alike,
            count=len(group),
            places=_places(timeline, group, places),
        )
        for group in groups
    ]


def _places(timeline: Timeline, group: list[Problem], most: int) -> str | None:
    if group[0].kind == "empty_track":
        return None
    told_places = ", ".join(_place(timeline, problem) for problem in group[:most])
    return told_places + (f" and {len(group) - most} more" if len(group) > most else "")


def _place(timeline: Timeline, problem: Problem) -> str:
    if problem.bars:
        return problem.bars
    place = timeline.place(problem.start)
    return f"bar {place.measure} beat {shown_beats(place.beat)}"
