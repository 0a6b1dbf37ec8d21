"""Count in how many of our own snippets each Strudel function is used.

Run it with `python -m benchmarks.training.count_function_uses`.

The snippets are the clips of the library, the examples of the functions and the code of the vocabulary. The counts are
the weights of functions in the vectors of code: `function_counts.json` of `consort_strudel.similarity.code`. After a
new count, change `CODE_ID` in `embedder.py`, so that stored vectors are made again.
"""

import asyncio
import json
from collections import Counter
from pathlib import Path

import consort_strudel.similarity.code
from consort_strudel.clips.library import library_clips
from consort_strudel.engine import Engine
from consort_strudel.knowledge.functions.load import described_functions
from consort_strudel.knowledge.vocabulary import concepts
from consort_strudel.similarity.code.reading import Snippet, read_snippets
from consort_strudel.similarity.code.same_functions import is_function, one_name

_TARGET = Path(consort_strudel.similarity.code.__file__).with_name("function_counts.json")


def our_code() -> list[str]:
    codes = [clip.code for clip in library_clips()]
    codes += [code for entry in described_functions() for code in entry.examples]
    codes += [code for each in concepts() for code in (each.code, each.example, *(way.code for way in each.other_ways))]
    return codes


def functions_of(snippet: Snippet) -> set[str]:
    """Return the functions that a snippet calls or names."""
    calls = {call.name for call in snippet.calls if call.name}
    named = {argument.name for call in snippet.calls for argument in call.args if argument.name}
    return {one_name(name) for name in calls | {name for name in named | set(snippet.free_names) if is_function(name)}}


async def main() -> None:
    engine = Engine()
    try:
        snippets = [snippet for snippet in await read_snippets(engine, our_code()) if snippet is not None]
    finally:
        await engine.close()
    counts = Counter(name for snippet in snippets for name in functions_of(snippet))
    ordered = dict(sorted(counts.items()))
    _TARGET.write_text(json.dumps({"snippets": len(snippets), "functions": ordered}, indent=0) + "\n")
    print(f"{len(counts)} functions in {len(snippets)} snippets")


if __name__ == "__main__":
    asyncio.run(main())
