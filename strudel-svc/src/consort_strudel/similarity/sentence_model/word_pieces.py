"""Split text into word pieces: the WordPiece algorithm, greedy from the left, as uncased BERT models expect it."""

import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

UNKNOWN, BEGIN, END = "[UNK]", "[CLS]", "[SEP]"
_LONGEST_WORD = 100


class WordPieces:
    def __init__(self, vocabulary: list[str]) -> None:
        """Use a vocabulary: the word pieces, in the order of their numbers."""
        self._numbers: Mapping[str, int] = {piece: number for number, piece in enumerate(vocabulary)}
        self._of_word = lru_cache(20_000)(self._split_word)

    def numbers(self, text: str, most: int) -> list[int]:
        """Return the numbers of a text, between the marks of its begin and end: at most `most` of them."""
        found: list[int] = []
        for word in _words(text):
            found += self._of_word(word)
            if len(found) >= most - 2:
                break
        return [self._numbers[BEGIN], *found[: most - 2], self._numbers[END]]

    def _split_word(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self._numbers[UNKNOWN],)
        found = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                number = self._numbers.get(("##" if start else "") + word[start:end])
                if number is not None:
                    break
            else:
                return (self._numbers[UNKNOWN],)
            found.append(number)
            start = end
        return tuple(found)


def _words(text: str) -> Iterator[str]:
    """Yield the words and single signs of a text, in lower case and without accents."""
    plain = "".join(
        letter for letter in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(letter) != "Mn"
    )
    word = ""
    for letter in plain:
        if letter.isspace() or unicodedata.category(letter).startswith("C"):
            if word:
                yield word
            word = ""
        elif _is_sign(letter):
            if word:
                yield word
            yield letter
            word = ""
        else:
            word += letter
    if word:
        yield word


def _is_sign(letter: str) -> bool:
    """Return whether a character is a word by itself: punctuation, ASCII signs, and Chinese characters."""
    if letter.isascii():
        return not letter.isalnum()
    return unicodedata.category(letter).startswith("P") or "\u4e00" <= letter <= "\u9fff"
