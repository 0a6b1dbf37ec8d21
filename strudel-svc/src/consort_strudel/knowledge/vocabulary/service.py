"""Answer query_vocab."""

from consort_strudel.knowledge.vocabulary.concept import CATEGORIES
from consort_strudel.knowledge.vocabulary.models import QueryVocab, VocabMatch, VocabMatches
from consort_strudel.knowledge.vocabulary.search import find_concepts


def query_vocabulary(request: QueryVocab) -> VocabMatches:
    """Return the concepts that the request means, and say so if they are only the nearest ones."""
    found = find_concepts(request.concept, request.category)
    page = found.concepts[request.offset : request.offset + request.limit]
    message = None
    if not found.concepts:
        message = (
            f"No concept is similar. Try another word, or a category with an empty concept: {', '.join(CATEGORIES)}."
        )
    elif found.is_nearest:
        message = "No concept has this name; these are the nearest ones."
    return VocabMatches(
        matches=[VocabMatch.of(concept) for concept in page], total_count=len(found.concepts), message=message
    )
