"""Measure validate_script and analyze_song_structure: accuracy, and CPU time of the service and its Node workers.

- Examples: the code in the doc comments of the npm packages, which we did not write. All of it is valid.
- Broken: 500 scripts, each broken in one place. One is caught if an error or a warning is at the right line and column.
- Voices: type and instrument of the voices of 100 songs.
- CPU: a song of 60 lines, after five warm-up rounds.
"""

import asyncio
import time
from collections import defaultdict
from statistics import median

from benchmarks.support.cpu_time import cpu_s_with_children
from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement, Row
from consort_strudel.engine import Engine, ScriptFacts
from consort_strudel.structure import structure_of
from consort_strudel.validation import KnownSounds, ScriptVerdict, Validator
from evaluation.strudel_scripts.broken import BrokenScript, broken_scripts
from evaluation.strudel_scripts.doc_examples import doc_examples
from evaluation.strudel_scripts.voices import VOICES, songs

BROKEN = 500
LEAST_ACCEPTED, LEAST_CAUGHT, LEAST_SUGGESTED, LEAST_VOICES = 0.99, 0.97, 0.75, 0.9
MOST_VALIDATION_MS, MOST_STRUCTURE_MS = 80, 10
_WARM_UP, _ROUNDS = 5, 20


def run(options: BenchOptions) -> Report:
    return asyncio.run(_measure(options.limit or BROKEN))


async def _measure(count: int) -> Report:
    engine = Engine(at_once=2)
    validator = Validator(engine)
    try:
        examples = await asyncio.gather(*map(validator.validate, doc_examples()))
        accepted = sum(verdict.valid for verdict in examples) / len(examples)
        rows, caught, suggested = await _broken(engine, validator, count)
        voices = await _voices(engine)
        validation_ms, structure_ms = await _cpu(engine, validator)
    finally:
        await engine.close()
    return Report(
        "validate_script and analyze_song_structure",
        [
            {"what": "examples accepted", "items": len(examples), "share": accepted},
            *rows,
            {"what": "voices right", "items": sum(len(song.voices) for song in songs(100)), "share": voices},
            {"what": "validation of 60 lines", "ms CPU": validation_ms},
            {"what": "structure of 60 lines", "ms CPU": structure_ms},
        ],
        f"{caught:.1%} of broken scripts caught, {suggested:.1%} of typos with the right suggestion.",
        [
            Requirement("examples accepted", accepted, LEAST_ACCEPTED, more_is_better=True),
            Requirement("broken scripts caught", caught, LEAST_CAUGHT, more_is_better=True),
            Requirement("right suggestions", suggested, LEAST_SUGGESTED, more_is_better=True),
            Requirement("voices right", voices, LEAST_VOICES, more_is_better=True),
            Requirement("ms CPU for the validation of 60 lines", validation_ms, MOST_VALIDATION_MS),
            Requirement("ms CPU for the structure of 60 lines", structure_ms, MOST_STRUCTURE_MS),
        ],
    )


async def _broken(engine: Engine, validator: Validator, count: int) -> tuple[list[Row], float, float]:
    names = await engine.names()
    valid = [song.script for song in songs(100)] + list(doc_examples())
    facts = [each for each in await asyncio.gather(*map(engine.parse, valid)) if not each.error and each.statements]
    known = names.functions | names.values | names.methods | KnownSounds(names.sounds).all
    broken = broken_scripts(facts, count, known)
    verdicts = await asyncio.gather(*(validator.validate(each.script) for each in broken))
    results: dict[str, list[tuple[bool, bool | None]]] = defaultdict(list)
    for each, verdict in zip(broken, verdicts, strict=True):
        results[each.kind].append(judged(each, verdict))
    rows: list[Row] = [
        {
            "what": f"caught: {kind}",
            "items": len(found),
            "share": sum(caught for caught, _ in found) / len(found),
        }
        for kind, found in sorted(results.items())
    ]
    every = [result for found in results.values() for result in found]
    suggestions = [right for _, right in every if right is not None]
    return rows, sum(caught for caught, _ in every) / len(every), sum(suggestions) / max(len(suggestions), 1)


def judged(broken: BrokenScript, verdict: ScriptVerdict) -> tuple[bool, bool | None]:
    """Return whether a broken script was caught at the right place, and if a typo's first suggestion is right."""
    lines = ScriptFacts(broken.script)
    places = {lines.line_column(place) for place in broken.places}
    hits = [each for each in (*verdict.errors, *verdict.warnings) if (each.line, each.column) in places]
    if broken.meant is None:
        return bool(hits), None
    return bool(hits), bool(hits and (hits[0].suggestion or "").startswith(f"Did you mean '{broken.meant}'"))


async def _voices(engine: Engine) -> float:
    right = voices = 0
    for song in songs(100):
        found = {each.pattern: each for each in structure_of(await engine.parse(song.script)).structure.voices}
        for voice in song.voices:
            got = found.get(voice.code)
            instruments = [place.instrument for place in got.instruments] if got else []
            voices += 1
            right += bool(got and got.type == voice.type and voice.instrument in instruments)
    return right / voices


async def _cpu(engine: Engine, validator: Validator) -> tuple[float, float]:
    """Return the milliseconds of CPU time of one validation, workers included, and of one structure without parsing."""
    parts = [voice.code.replace(").", ")\n  .", 1) for voice in VOICES[:20]]
    song = "setcpm(120/4)\n" + "\n".join(f"// part {number}\nv{number}: {part}" for number, part in enumerate(parts))
    facts = await engine.parse(song)
    validations, structures = [], []
    for _ in range(_WARM_UP + _ROUNDS):
        began = cpu_s_with_children()
        await validator.validate(song)
        validations.append((cpu_s_with_children() - began) * 1000)
        began = time.process_time()
        structure_of(facts)
        structures.append((time.process_time() - began) * 1000)
    return sum(validations[_WARM_UP:]) / _ROUNDS, median(structures[_WARM_UP:])
