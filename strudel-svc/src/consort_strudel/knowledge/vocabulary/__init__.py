"""The vocabulary: musical concepts and words of feel, each with Strudel code.

- `concepts/CATEGORY/SUBJECT.toml`: the concepts themselves
- `concept`: a concept as a record
- `load`: read the files, once
- `search`: find concepts by name, synonym or free text
- `models`, `service`, `routes`: the tool query_vocab
"""

from consort_strudel.knowledge.vocabulary.concept import CATEGORIES, MEASURES, Concept, Move, OtherWay
from consort_strudel.knowledge.vocabulary.load import concepts

__all__ = ["CATEGORIES", "MEASURES", "Concept", "Move", "OtherWay", "concepts"]
