"""Find functions by what they do.

- `synonyms`: everyday words for the words of the descriptions
- `ranking`: what of a function is searched, and how much it counts
"""

from consort_strudel.knowledge.functions.search.ranking import FunctionSearch

__all__ = ["FunctionSearch"]
