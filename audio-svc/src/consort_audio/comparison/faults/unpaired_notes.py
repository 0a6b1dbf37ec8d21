"""Find expected notes that were not played, and played notes that were not expected."""

from collections.abc import Sequence

from consort_audio.comparison.align.alignment import Alignment
from consort_audio.comparison.align.note_pairs import PlayedPass
from consort_audio.comparison.faults.faults import Fault
from consort_audio.comparison.faults.limits import SHORT_EXTRA_S
from consort_audio.comparison.reference.expected_music import ExpectedMusic, ExpectedNote

_MOST_LOST = 8
_LOST_SHARE = 0.25


def notes_left_out(music: ExpectedMusic, passes: Sequence[PlayedPass]) -> list[bool]:
    """Mark a part before the first or after the last played note, if it is long: the take has only some of the bars."""
    count = len(music.notes)
    if not passes:
        return [False] * count
    first, last = min(each.first for each in passes), max(each.last for each in passes)
    limit = max(_MOST_LOST, _LOST_SHARE * count)
    head, tail = first > limit, count - 1 - last > limit
    return [(head and index < first) or (tail and index > last) for index in range(count)]


def missing_notes(music: ExpectedMusic, alignment: Alignment, left_out: Sequence[bool]) -> list[Fault]:
    """Return the expected notes that no pass has, or that a pass left out between its first and last note."""
    paired = {(index, pair.expected) for index, each in enumerate(alignment.passes) for pair in each.pairs}
    anywhere = {expected for _, expected in paired}
    found = []
    for expected, note in enumerate(music.notes):
        passes = [
            index
            for index, each in enumerate(alignment.passes)
            if each.first <= expected <= each.last and (index, expected) not in paired
        ]
        if not passes and expected not in anywhere and not left_out[expected]:
            passes = [_nearest_pass(alignment.passes, expected)]
        for index in passes:
            time = alignment.passes[index].expected_time(note.start) if alignment.passes else note.start
            length = note.end - note.start
            beat_s = 60 / music.bpm
            severity = "major" if length >= 0.49 * beat_s else "moderate"
            found.append(
                Fault(
                    "missing_note",
                    max(time, 0.0),
                    note.bar,
                    note.beat,
                    severity,  # type: ignore[arg-type]
                    note.name,
                    expected_index=expected,
                )
            )
    return found


def _nearest_pass(passes: Sequence[PlayedPass], expected: int) -> int:
    if not passes:
        return 0
    return min(
        range(len(passes)),
        key=lambda index: min(abs(passes[index].first - expected), abs(passes[index].last - expected)),
    )


def extra_notes(music: ExpectedMusic, alignment: Alignment) -> list[Fault]:
    paired = {pair.played for each in alignment.passes for pair in each.pairs}
    found = []
    for index, heard in enumerate(alignment.played):
        if index in paired:
            continue
        near = _expected_at(music, alignment, heard.start)
        found.append(
            Fault(
                "extra_note",
                heard.start,
                near.bar if near else 1,
                near.beat if near else 1.0,
                "moderate" if heard.end - heard.start >= SHORT_EXTRA_S else "minor",
                None,
                music.name_of(alignment.pitches[index]),
                played_index=index,
            )
        )
    return found


def _expected_at(music: ExpectedMusic, alignment: Alignment, time: float) -> ExpectedNote | None:
    """Return the expected note that was due last at a time of the take."""
    best: ExpectedNote | None = None
    for each in alignment.passes:
        if not each.begin - 1e-6 <= time <= each.end + 1e-6:
            continue
        for pair in each.pairs:
            if alignment.played[pair.played].start <= time:
                best = music.notes[pair.expected]
    return best or (music.notes[0] if music.notes else None)
