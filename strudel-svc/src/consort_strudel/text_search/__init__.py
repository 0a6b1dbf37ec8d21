"""Find entries by a request in plain words.

- `stemming`: words of a text, without their endings
- `ranking`: BM25F over weighted texts, with synonyms
- `synonyms`: groups of words that mean nearly the same
"""

from consort_strudel.text_search.ranking import SearchedText, TextRanking
from consort_strudel.text_search.stemming import terms
from consort_strudel.text_search.synonyms import SynonymGroups

__all__ = ["SearchedText", "SynonymGroups", "TextRanking", "terms"]
