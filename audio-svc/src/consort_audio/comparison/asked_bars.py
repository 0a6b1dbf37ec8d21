"""Leave out what was played of other bars than those that were asked for.

A player who is asked for bars 5 to 8 often plays the whole piece. If the take hardly fits the asked bars and fits the
whole piece clearly better, it is aligned with the whole piece, and only the notes between the first and the last asked
one are judged. What does not fit is counted in notes: those without a right place, and `_RESTART` for each restart, as
which bars that resemble the asked ones appear.
"""

from collections.abc import Callable
from dataclasses import replace

from consort_audio.comparison.align.alignment import Alignment, align
from consort_audio.comparison.align.note_pairs import PlayedPass
from consort_audio.comparison.reference.expected_music import ExpectedMusic

_FEWEST, _SHARE, _RESTART = 4, 0.2, 2
_MARGIN_S = 0.15


def align_asked_bars(music: ExpectedMusic, align_take: Callable[[ExpectedMusic], Alignment]) -> Alignment:
    """Align a take with the asked bars. `align_take` aligns it with any music."""
    alignment = align_take(music)
    misfit = _misfit(music, alignment)
    if music.whole is None or misfit < max(_FEWEST, _SHARE * len(alignment.played)):
        return alignment
    wide = align_take(music.whole)
    if _misfit(music.whole, wide) > misfit - _FEWEST:
        return alignment
    kept = _notes_in(music, wide)
    if not kept:
        return alignment
    found = align(music, [wide.played[index] for index in kept])
    return replace(found, other_bars=len(wide.played) - len(kept))


def _misfit(music: ExpectedMusic, alignment: Alignment) -> int:
    """Return how many notes have no right place, restarts included."""
    right = sum(
        music.notes[pair.expected].pitch == alignment.pitches[pair.played]
        for each in alignment.passes
        for pair in each.pairs
    )
    return len(alignment.played) - right + _RESTART * max(len(alignment.passes) - 1, 0)


def _notes_in(music: ExpectedMusic, wide: Alignment) -> list[int]:
    """Return the indexes of the played notes in the asked bars of an alignment with the whole piece."""
    assert music.whole is not None
    first, last = music.notes[0].bar, max(note.bar for note in music.notes)
    asked = [first <= note.bar <= last for note in music.whole.notes]
    return sorted(index for each in wide.passes for index in _notes_of_pass(music.whole, wide, each, asked))


def _notes_of_pass(whole: ExpectedMusic, wide: Alignment, each: PlayedPass, asked: list[bool]) -> list[int]:
    inside = [whole.notes[index] for index in range(each.first, each.last + 1) if asked[index]]
    if not inside:
        return []
    begin = each.expected_time(inside[0].start) - _MARGIN_S
    end = each.expected_time(max(note.end for note in inside)) - _MARGIN_S
    places = {pair.played: pair.expected for pair in each.pairs}
    return [
        index
        for index in each.played
        if (asked[places[index]] if index in places else begin <= wide.played[index].start < end)
    ]
