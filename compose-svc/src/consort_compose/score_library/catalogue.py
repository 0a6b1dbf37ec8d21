"""The catalogue of the score library: which pieces there are, and how to search them.

Texts are compared without accents and capitals, word by word; `BWV66.6` is the words bwv, 66 and 6. A piece is found
if each word of the request is the beginning of one of its words, and exact words of the title count most. If no piece
has all words, the pieces that have the most are returned. One search reads all pieces, about 10 ms.
"""

import gzip
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("catalogue.tsv.gz")
_WORD = re.compile(r"[a-z]+|[0-9]+")
_SMALL_WORDS = frozenset(["the", "a", "an", "of", "in", "for", "by", "and", "no", "nr", "op"])
_TITLE, _COMPOSER, _REST, _BEGINNING = 8, 4, 2, 1


@dataclass(frozen=True)
class CataloguedScore:
    """One piece. Empty fields are unknown."""

    name: str
    file: str
    """Path in the corpus."""
    tune: str
    """The number (X:) of the tune, if the file has several."""
    title: str
    composer: str
    about: str
    """Collection, origin and kind, for the search."""
    key: str
    metre: str
    parts: int
    bars: int


@dataclass(frozen=True)
class ScoreFilter:
    """What a piece must be. None: anything."""

    key: str | None = None
    metre: str | None = None
    parts: int | None = None
    bars: tuple[int, int] | None = None

    def allows(self, piece: CataloguedScore) -> bool:
        return (
            self.key in (None, piece.key)
            and self.metre in (None, piece.metre)
            and self.parts in (None, piece.parts)
            and (self.bars is None or self.bars[0] <= piece.bars <= self.bars[1])
        )


class ScoreCatalogue:
    def __init__(self, pieces: Sequence[CataloguedScore]) -> None:
        self.pieces = pieces
        self._by_name = {piece.name.casefold(): piece for piece in pieces}
        self._searched = [
            tuple(f" {' '.join(words(text))} " for text in (piece.title, piece.composer, f"{piece.name} {piece.about}"))
            for piece in pieces
        ]

    def find(self, name: str) -> CataloguedScore | None:
        return self._by_name.get(name.casefold())

    def search(self, query: str, wanted: ScoreFilter) -> tuple[list[CataloguedScore], list[str]]:
        """Return the pieces that fit, best first, and the words that they do not have."""
        asked = [word for word in dict.fromkeys(words(query)) if word not in _SMALL_WORDS] or words(query)
        ranked: list[tuple[int, int, int]] = []
        for index, texts in enumerate(self._searched):
            points = [_points(word, texts) for word in asked]
            hits = sum(1 for each in points if each)
            if (hits or not asked) and wanted.allows(self.pieces[index]):
                ranked.append((-hits, len(texts[0]) - 40 * sum(points), index))
        ranked.sort()
        most = ranked[0][0] if ranked else 0
        best = [index for hits, _, index in ranked if hits == most]
        lacking = [word for word in asked if best and not _points(word, self._searched[best[0]])]
        if 2 * -most < len(asked):
            return [], asked
        return [self.pieces[index] for index in best], lacking


def words(text: str) -> list[str]:
    """Return the words of a text in lower case without accents. Numbers are words."""
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss").casefold())
    return _WORD.findall("".join(each for each in plain if not unicodedata.combining(each)).replace("'", ""))


def read_catalogue(packed: bytes) -> ScoreCatalogue:
    return ScoreCatalogue(list(_pieces(gzip.decompress(packed).decode())))


def write_catalogue(pieces: Sequence[CataloguedScore]) -> bytes:
    """Return the file that `read_catalogue` reads. Equal pieces give equal bytes."""
    lines = ("\t".join(str(value) for value in vars(piece).values()) for piece in pieces)
    return gzip.compress("\n".join(lines).encode(), mtime=0)


@cache
def the_catalogue() -> ScoreCatalogue:
    """Return the catalogue that comes with Consort. The first call takes some tenths of a second."""
    return read_catalogue(FILE.read_bytes())


def _pieces(text: str) -> Iterator[CataloguedScore]:
    for line in text.split("\n"):
        name, file, tune, title, composer, about, key, metre, parts, bars = line.split("\t")
        yield CataloguedScore(name, file, tune, title, composer, about, key, metre, int(parts), int(bars))


def _points(word: str, texts: tuple[str, ...]) -> int:
    """Return how well a word fits the title, the composer and the other words of a piece; 0 if it is nowhere."""
    whole = f" {word} "
    for text, points in zip(texts, (_TITLE, _COMPOSER, _REST), strict=True):
        if whole in text:
            return points
    begins = f" {word}"
    return _BEGINNING if len(word) > 2 and not word.isdigit() and any(begins in text for text in texts) else 0
