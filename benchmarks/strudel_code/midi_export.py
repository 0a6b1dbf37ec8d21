"""Count the scripts of `evaluation.corpora.strudel_scripts` whose MIDI file has exactly the notes of the engine."""

import asyncio
from collections import Counter
from fractions import Fraction

from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement, Row
from consort_music.midi.writer import write_midi
from consort_music.note_sequence.to_midi_file import sequence_to_midi
from consort_strudel.engine import Engine
from consort_strudel.events.cycle_time import beats_per_cycle
from consort_strudel.events.midi_export import export_events, unmapped_count
from consort_strudel.events.voices import VoiceFinder
from evaluation.checkers.strudel_notes import EventNote, notes_of_events, notes_of_file
from evaluation.corpora.strudel_scripts import SCRIPTS

CYCLES = 8
_TIME_LIMIT_S = 60
_FINEST = 400


def run(options: BenchOptions) -> Report:
    rows = asyncio.run(_rows(list(SCRIPTS)[: options.limit]))
    exact = sum(bool(row["exact"]) for row in rows)
    return Report(
        title=f"Scripts as MIDI files, {CYCLES} cycles each",
        rows=rows,
        summary=f"{exact} of {len(rows)} files have exactly the notes that the engine plays.",
        requirements=[Requirement("share of exact files", exact / len(rows), 1, more_is_better=True)],
    )


async def _rows(names: list[str]) -> list[Row]:
    engine = Engine(time_limit_s=_TIME_LIMIT_S)
    try:
        return [await _row(engine, name) for name in names]
    finally:
        await engine.close()


async def _row(engine: Engine, name: str) -> Row:
    script = SCRIPTS[name]
    evaluation = await engine.evaluate(script, 0, CYCLES)
    facts = await engine.parse(script)
    beats = beats_per_cycle(facts)
    made = export_events(evaluation, VoiceFinder(facts), 0, CYCLES, beats)
    played = tuple(event for event in evaluation.events if "cps" not in event.value)
    wanted = _rounded(notes_of_events(played, beats))
    found = _rounded(notes_of_file(write_midi(sequence_to_midi(made.music))))
    return {"script": name, "notes": wanted.total(), "left out": unmapped_count(made), "exact": int(wanted == found)}


def _rounded(notes: Counter[EventNote]) -> Counter[EventNote]:
    """Round times to 1/400 of a beat: a file has ticks."""
    found: Counter[EventNote] = Counter()
    for (is_drum, key, start, length, velocity), count in notes.items():
        found[is_drum, key, _on_grid(start), _on_grid(length), velocity] += count
    return found


def _on_grid(time: Fraction) -> Fraction:
    return Fraction(round(time * _FINEST), _FINEST)
