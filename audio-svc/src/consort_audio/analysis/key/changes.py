"""Find clear changes of key, and the key of each section between them.

The evidence of windows of `WINDOW_S`, each `STEP_S` after the one before, gives the logarithm of the probability of
each key. The best sequence of keys is found by a Viterbi search in which a change costs `CHANGE`; a change is placed
where the windows of the two keys meet, so it is right within about `STEP_S`. Recordings under two windows have no
changes.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.key.evidence import key_evidence
from consort_audio.analysis.key.find import FoundKey, find_key, key_from, key_named, log_probabilities
from consort_audio.signals.recording import Recording
from consort_music.keys import Key

WINDOW_S = 16.0
STEP_S = 4.0
CHANGE = 12.0
ALIKE_S = 2 * STEP_S
"""Sections whose lengths differ by less than this count as equally long."""


class KeySection(NamedTuple):
    start: float
    """In seconds."""
    key: Key


def find_key_sections(recording: Recording) -> list[KeySection]:
    """Return the sections of a recording between clear changes of key, computed once; none if no tones sound."""
    return recording.feature("key sections", _find)


def main_key(recording: Recording) -> FoundKey:
    """Return the key of a recording. If it changes, this is the key of one of its sections.

    A piece in C major and E flat major as a whole resembles C minor. Then the key of the longest section is returned,
    as it is found in that section alone; of equally long ones, the first.
    """
    found, sections = find_key(recording), find_key_sections(recording)
    if len(sections) < 2 or any(section.key == found.key for section in sections):
        return found
    ends = [*(section.start for section in sections[1:]), recording.duration]
    lengths = [end - section.start for section, end in zip(sections, ends, strict=True)]
    place = next(index for index, length in enumerate(lengths) if length > max(lengths) - ALIKE_S)
    start, end = sections[place].start, ends[place]
    return key_from(key_evidence(recording, start, end))


def _find(recording: Recording) -> list[KeySection]:
    whole = find_key(recording).key
    if whole is None:
        return []
    if recording.duration < 2 * WINDOW_S:
        return [KeySection(0.0, whole)]
    starts = np.arange(0.0, recording.duration - WINDOW_S / 2, STEP_S)
    scores = [log_probabilities(key_evidence(recording, start, start + WINDOW_S)) for start in starts]
    path = _best_keys(np.array(scores))
    changes = [
        KeySection(float(starts[place]) + WINDOW_S / 2 - STEP_S / 2, key_named(after))
        for place, (before, after) in enumerate(pairwise(path), start=1)
        if before != after
    ]
    return [KeySection(0.0, key_named(path[0]) if changes else whole), *changes]


def _best_keys(scores: NDArray[np.float64]) -> list[int]:
    """Return the number of the key of each window (Viterbi)."""
    total = scores[0].copy()
    came_from = []
    for row in scores[1:]:
        best = int(total.argmax())
        changed = total[best] - CHANGE
        came_from.append(np.where(total >= changed, np.arange(24), best))
        total = np.maximum(total, changed) + row
    path = [int(total.argmax())]
    for previous in reversed(came_from):
        path.append(int(previous[path[-1]]))
    return path[::-1]
