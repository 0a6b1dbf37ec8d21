"""Find functions by what they do.

- `stemming`: words of a text, without their endings
- `synonyms`: everyday words for the words of the descriptions
- `ranking`: BM25F over names, descriptions, words and parameters
"""

from consort_strudel.knowledge.functions.search.ranking import FunctionSearch

__all__ = ["FunctionSearch"]
