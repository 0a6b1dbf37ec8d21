"""Snippets of Strudel code, each with the musical concept that it shows.

There are one or two snippets for each of the 228 concepts that the vocabulary must have, named in the words of that
list. The author had only the list of names. Snippets are whole patterns or, when they begin with a dot, the end of a
chain of calls. `also` names the other concepts of the list that are as right an answer as `concept`.
"""

from functools import cache
from typing import NamedTuple

from evaluation.strudel_knowledge.toml_rows import rows_of


class ConceptSnippet(NamedTuple):
    code: str
    concept: str
    also: tuple[str, ...]

    @property
    def is_fragment(self) -> bool:
        """Whether the code is the end of a chain of calls, such as `.rev()`."""
        return self.code.startswith(".")

    @property
    def right_answers(self) -> frozenset[str]:
        return frozenset((self.concept, *self.also))


@cache
def concept_snippets() -> tuple[ConceptSnippet, ...]:
    """Return all snippets."""
    return tuple(
        ConceptSnippet(row["code"].strip(), row["concept"], tuple(row.get("also", ())))
        for row in rows_of("code_of_concepts", "snippet")
    )
