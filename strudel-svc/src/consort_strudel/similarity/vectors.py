"""Join both halves of a vector: 384 numbers for the meaning, 384 for how the code is made.

The second half is made by feature hashing (Weinberger et al. 2009): every feature is added, with a sign, to two of the
384 places that its checksum chooses. Collisions cancel on average.
"""

import math
from collections.abc import Mapping, Sequence
from zlib import crc32

HALF = 384
DIMENSIONS = 2 * HALF
SHARE_OF_CODE = 0.7
"""The share of the second half in the similarity of two snippets."""


TEXT_SCALE = 1 / math.sqrt(1 - SHARE_OF_CODE)
"""The cosine of text and code is at most the reciprocal of this, because text has one half only."""


def hashed(features: Mapping[str, float]) -> list[float]:
    """Return a vector of length 1 and 384 numbers."""
    numbers = [0.0] * HALF
    for feature, weight in features.items():
        checksum = crc32(feature.encode())
        other = crc32(feature.encode(), 0x5EED)
        numbers[checksum % HALF] += weight if checksum & 0x80000000 else -weight
        numbers[other % HALF] += weight if other & 0x80000000 else -weight
    return _of_length(numbers, 1.0)


def joined(meaning: Sequence[float] | None, code: Sequence[float] | None) -> list[float]:
    """Return a vector of length 1 and 768 numbers. A half that is None is empty."""
    meaning_length = math.sqrt(1 - SHARE_OF_CODE) if code is not None else 1.0
    code_length = math.sqrt(SHARE_OF_CODE) if meaning is not None else 1.0
    first = _of_length(meaning, meaning_length) if meaning is not None else [0.0] * HALF
    second = _of_length(code, code_length) if code is not None else [0.0] * HALF
    return [*first, *second]


def cosine(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the cosine of two vectors of length 1."""
    return math.fsum(one * two for one, two in zip(first, second, strict=True))


def _of_length(numbers: Sequence[float], length: float) -> list[float]:
    norm = math.sqrt(math.fsum(number * number for number in numbers))
    return [number * length / norm for number in numbers] if norm else list(numbers)
