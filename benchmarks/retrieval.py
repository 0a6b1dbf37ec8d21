"""Measure how well code and words find what they mean. Options: `--task NAME`, `--limit N`.

- `functions`: the examples in the doc comments of the npm packages find the function that they explain, among our own
  examples of all functions. Nothing of ours was copied from there. Examples are left out if their comment is about an
  internal function (`_euclidRot`, 21 of them, nearly all calling `euclid`), because no name can be the right answer.
- `concepts`: code written blind for each concept of the vocabulary finds the concept, as identify_pattern ranks them.
- `edited`: clips of the library, edited in two or three places, find the original.
- `requests`: requests in English, written blind, find the clip that was meant.

R@1 and R@5 are the shares of items whose right answer comes first, and is among the first five. Beside ours: MiniLM
and BM25 on code (or the texts of clips) as it is.
"""

import asyncio

from benchmarks.code_retrieval.baselines import by_bm25, by_sentences
from benchmarks.code_retrieval.clip_library import ClipLibrary, open_clip_library
from benchmarks.code_retrieval.edited_clips import edited
from benchmarks.code_retrieval.exemplars import Labelled, Question, Rank, Recall, by_vectors, recall
from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement, Row
from consort_strudel.clips.library import library_clips
from consort_strudel.clips.models.searches import FindSimilarClips, SearchClips
from consort_strudel.engine import Engine
from consort_strudel.engine.source_functions import engine_sources
from consort_strudel.knowledge.functions.catalogue import Catalogue
from consort_strudel.knowledge.functions.load import described_functions
from consort_strudel.knowledge.identify.parts import parts_of
from consort_strudel.knowledge.identify.vocabulary import read_vocabulary
from consort_strudel.knowledge.vocabulary import concepts
from consort_strudel.similarity.code.reading import read_snippets
from evaluation.strudel_knowledge.code_of_concepts import concept_snippets
from evaluation.strudel_knowledge.requests_for_clips import clip_requests
from evaluation.strudel_scripts.doc_examples import examples_of_functions

FLOORS: dict[str, dict[str, tuple[float, float]]] = {
    "functions": {"R@1": (0.78, 0.85), "R@5": (0.94, 0.97)},
    "concepts": {"R@5": (0.84, 0.90)},
    "edited": {"R@1": (0.90, 0.95)},
    "requests": {"R@5": (0.50, 0.65)},
}
"""By task and measure: what is required, and what is aimed at."""
_MANY = 5


def run(options: BenchOptions) -> Report:
    return asyncio.run(_measure(options))


async def _measure(options: BenchOptions) -> Report:
    rows: list[Row] = []
    requirements: list[Requirement] = []
    async with open_clip_library() as library:
        for task in options.tasks or FLOORS:
            questions, exemplars, ours = await _TASKS[task](library)
            asked = questions[: options.limit]
            found = await recall(asked, ours)
            rows.append(_row(task, "ours", found))
            if options.baselines:
                sentences = await by_sentences(library.embedder, exemplars)
                rows.append(_row(task, "MiniLM", await recall(asked, sentences)))
                rows.append(_row(task, "BM25", await recall(asked, by_bm25(exemplars))))
            measured = {"R@1": found.at_1, "R@5": found.at_5}
            requirements += [
                Requirement(f"{task} {name} (aim {aim})", round(measured[name], 3), floor, more_is_better=True)
                for name, (floor, aim) in FLOORS[task].items()
            ]
    summary = ", ".join(
        f"{row['task']} R@1 {row['R@1']:.3f} R@5 {row['R@5']:.3f}" for row in rows if row["by"] == "ours"
    )
    return Report("Code and words find what they mean", rows, f"{summary}.", requirements)


def _row(task: str, by: str, found: Recall) -> Row:
    return {"task": task, "by": by, "items": found.items, "R@1": found.at_1, "R@5": found.at_5}


async def _functions(library: ClipLibrary) -> tuple[list[Question], list[Labelled], Rank]:
    catalogue = await _catalogue(library.engine)
    exemplars = [Labelled(entry.name, code) for entry in described_functions() for code in entry.examples]
    labels = {each.label for each in exemplars}
    known = {each.code for each in exemplars}
    questions = []
    for example in examples_of_functions():
        function = catalogue.find(example.function) if example.function else None
        if function is not None and function.name in labels and example.code not in known:
            questions.append(Question(example.code, frozenset((function.name,))))
    return questions, exemplars, await by_vectors(library.engine, library.embedder, exemplars)


async def _catalogue(engine: Engine) -> Catalogue:
    return Catalogue(described_functions(), engine_sources().functions, await engine.names())


async def _concepts(library: ClipLibrary) -> tuple[list[Question], list[Labelled], Rank]:
    names = {
        word.casefold(): concept.name for concept in concepts() for words in concept.terms.values() for word in words
    }
    names |= {concept.name.casefold(): concept.name for concept in concepts()}
    exemplars = [
        Labelled(concept.name, code)
        for concept in concepts()
        for code in (concept.code, concept.example, *(way.code for way in concept.other_ways))
    ]
    questions = [
        Question(snippet.code, frozenset(names[each.casefold()] for each in snippet.right_answers))
        for snippet in concept_snippets()
    ]
    index = await read_vocabulary(library.engine)
    by_id = {concept.id: concept.name for concept in concepts()}

    async def rank(code: str) -> list[str]:
        (snippet,) = await read_snippets(library.engine, [code])
        return [by_id[match.subject] for match in index.rank(parts_of(snippet))[:_MANY]] if snippet else []

    return questions, exemplars, rank


async def _edited(library: ClipLibrary) -> tuple[list[Question], list[Labelled], Rank]:
    exemplars = [Labelled(clip.name, clip.code) for clip in library_clips()]
    questions = [
        Question(code, frozenset((clip.name,)))
        for number, clip in enumerate(library_clips())
        if (code := edited(clip.code, number)) != clip.code.strip()
    ]

    async def rank(code: str) -> list[str]:
        found = await library.search.similar(FindSimilarClips(code_snippet=code, top_k=_MANY))
        return [clip.name for clip in found.similar_clips]

    return questions, exemplars, rank


async def _requests(library: ClipLibrary) -> tuple[list[Question], list[Labelled], Rank]:
    exemplars = [Labelled(clip.name, f"{clip.name}. {clip.description}") for clip in library_clips()]
    questions = [Question(request.text, frozenset((request.clip,))) for request in clip_requests()]

    async def rank(text: str) -> list[str]:
        found = await library.search.search(SearchClips.model_validate({"query": {"text": text}, "limit": _MANY}))
        return [clip.name for clip in found.clips]

    return questions, exemplars, rank


_TASKS = {"functions": _functions, "concepts": _concepts, "edited": _edited, "requests": _requests}
