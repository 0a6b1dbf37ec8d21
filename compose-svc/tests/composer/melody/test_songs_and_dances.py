"""Melodies are songs or dances: what is requested decides which, and they differ as in folk tunes."""

from fractions import Fraction
from statistics import fmean

from consort_compose.composer.melody.engine.generate import generate
from consort_compose.composer.melody.engine.request_and_result import Melody, MelodyRequest
from consort_music.keys import parse_key
from consort_music.metre import parse_metre

SEEDS = range(60)


def melodies() -> list[Melody]:
    """Return melodies of a request that both songs and dances suit."""
    return [generate(MelodyRequest(parse_key("G major"), 16, parse_metre("2/4"), density="dense"), s) for s in SEEDS]


def test_a_long_dense_request_gives_dances_and_a_short_calm_one_gives_songs() -> None:
    long = [generate(MelodyRequest(parse_key("D major"), 16, parse_metre("6/8"), density="dense"), s) for s in SEEDS]
    short = MelodyRequest(parse_key("D major"), 8, density="medium", pickup=Fraction(1))
    assert sum(melody.style == "dance" for melody in long) >= 0.6 * len(SEEDS)
    assert sum(generate(short, s).style == "song" for s in SEEDS) >= 0.8 * len(SEEDS)


def test_dances_have_a_wider_range_than_songs() -> None:
    ranges: dict[str, list[int]] = {"song": [], "dance": []}
    for melody in melodies():
        ranges[melody.style].append(max(melody.pitches) - min(melody.pitches))
    assert fmean(ranges["dance"]) >= fmean(ranges["song"]) + 2


def test_the_last_note_of_a_song_is_longer_than_that_of_a_dance() -> None:
    lengths: dict[str, list[float]] = {"song": [], "dance": []}
    for melody in melodies():
        lengths[melody.style].append(float(melody.timings[-1].duration))
    assert fmean(lengths["song"]) > fmean(lengths["dance"]) + 0.2
