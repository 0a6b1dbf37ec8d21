"""Measure how an assistant sees the tools: do sentences lead to the right tool, do ids lead on, do errors help?

`search_tools` is our own ranking; plain BM25 over names and descriptions stands beside it. Descriptions were improved
on the first set of sentences only, so the figures of the other two sets say how new sentences fare. The bytes of
typical answers have their limits in `tests/contract/test_answer_budgets.py` and in the journeys.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.assistant_view.broken_arguments import BrokenCall, broken_calls
from benchmarks.assistant_view.id_flow import id_flow
from benchmarks.assistant_view.user_sentences import (
    UserSentence,
    held_out_sentences,
    unseen_sentences,
    user_sentences,
)
from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement, Row
from benchmarks.support.running_studio import running_studio
from consort_cli.mcp_client import McpConnection
from consort_gateway.tools.catalogue import ToolDefinition, load_catalogue
from consort_gateway.tools.tool_search import ToolSearch

LEAST_IN_FIRST_THREE, MOST_BYTES = 0.92, 100_000
_SHOWN_MISSES = 20

Ranking = Callable[[str], list[str]]
"""Returns the names of the first three tools for a sentence."""


def run(options: BenchOptions) -> Report:
    catalogue = load_catalogue()
    sentences = user_sentences()[: options.limit]
    search = ToolSearch(catalogue)
    plain = plain_bm25(catalogue)

    def ours(sentence: str) -> list[str]:
        return [tool["name"] for tool in search.find({"query": sentence, "limit": 3})["tools"]]

    held_out, unseen = held_out_sentences(), unseen_sentences()
    missed = [(each, found) for each in sentences if not set(found := plain(each.text)) & set(each.right_tools)]
    rows: list[Row] = [
        {"sentence": each.text, "right": ", ".join(each.right_tools), "found instead": ", ".join(found)}
        for each, found in missed[:_SHOWN_MISSES]
    ]
    with_plain, with_ours = in_first_three(plain, sentences), in_first_three(ours, sentences)
    flow = id_flow().dead_ends()
    broken = calls_with_a_wrong_argument()
    unclear = [each for each in broken if not (each.is_named and each.is_shown)]
    size = len(json.dumps([tool.as_mcp() for tool in catalogue], separators=(",", ":"), ensure_ascii=False).encode())
    return Report(
        title="Sentences for which plain BM25 has no right tool among the first three",
        rows=rows,
        summary=f"The right tool is among the first three for {with_plain:.3f} of {len(sentences)} sentences by plain"
        f" BM25, {with_ours:.3f} by search_tools; for {in_first_three(plain, held_out):.3f} and"
        f" {in_first_three(ours, held_out):.3f} of {len(held_out)} held-out ones, and for"
        f" {in_first_three(plain, unseen):.3f} and {in_first_three(ours, unseen):.3f} of {len(unseen)} unseen ones."
        f" tools/list has {size:,} bytes."
        f" Ids: {'; '.join(flow) or 'all lead on'}. Of {len(broken)} calls with a wrong argument {len(unclear)} have an"
        f" error that does not say what is right{''.join(f'; {each.tool}: {each.message}' for each in unclear)}.",
        requirements=[
            Requirement("in the first three, plain BM25", with_plain, LEAST_IN_FIRST_THREE, more_is_better=True),
            Requirement("in the first three, search_tools", with_ours, LEAST_IN_FIRST_THREE, more_is_better=True),
            Requirement("kinds of ids that lead nowhere", len(flow), 0),
            Requirement("errors that do not say what is right", len(unclear), 0),
            Requirement("bytes of tools/list", size, MOST_BYTES),
        ],
    )


def calls_with_a_wrong_argument() -> list[BrokenCall]:
    with running_studio() as environment:
        token = Path(environment["CONSORT_DATA"], "token").read_text("utf-8").strip()
        connection = McpConnection(f"http://127.0.0.1:{environment['CONSORT_PORT_BASE']}", token, client="bench")
        try:
            return broken_calls(connection)
        finally:
            connection.close()


def in_first_three(ranking: Ranking, sentences: Sequence[UserSentence]) -> float:
    return sum(bool(set(ranking(each.text)) & set(each.right_tools)) for each in sentences) / len(sentences)


def plain_bm25(tools: Sequence[ToolDefinition], k1: float = 1.2, b: float = 0.75) -> Ranking:
    """Return Okapi BM25 over name and description, without word endings, stop words or weights."""
    counts = [Counter(_words(f"{tool.name} {tool.description}")) for tool in tools]
    lengths = [sum(count.values()) for count in counts]
    mean_length = sum(lengths) / len(lengths)
    containing = Counter(word for count in counts for word in count)
    rarity = {word: math.log(1 + (len(tools) - many + 0.5) / (many + 0.5)) for word, many in containing.items()}

    def score(index: int, words: set[str]) -> float:
        scale = k1 * (1 - b + b * lengths[index] / mean_length)
        found = ((rarity[word], counts[index][word]) for word in words if counts[index][word])
        return sum(weight * count * (k1 + 1) / (count + scale) for weight, count in found)

    def first_three(sentence: str) -> list[str]:
        words = set(_words(sentence))
        order = sorted(range(len(tools)), key=lambda index: -score(index, words))
        return [tools[index].name for index in order[:3]]

    return first_three


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower().replace("_", " "))
