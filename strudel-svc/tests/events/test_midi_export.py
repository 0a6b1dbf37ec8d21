"""MIDI files of scripts, read with mido, have exactly the notes that the engine plays."""

from collections import Counter
from fractions import Fraction

import pytest

from consort_music.midi.writer import write_midi
from consort_music.note_sequence.to_midi_file import sequence_to_midi
from consort_strudel.engine import Evaluation
from consort_strudel.events.cycle_time import beats_per_cycle, cycles_until_repeat
from consort_strudel.events.midi_export import MidiExport, export_events, unmapped_count, warnings_of
from consort_strudel.events.midi_sounds import gm_names, midi_sound, sound_of_drum
from consort_strudel.events.voices import VoiceFinder
from evaluation.checkers.midi_parts import parts_of, tempo_map
from evaluation.checkers.strudel_notes import EventNote, notes_of_events, notes_of_file
from evaluation.corpora.strudel_scripts import SCRIPTS
from tests.support.strudel_engine import RunningEngine

CYCLES = 6


def exported(engine: RunningEngine, script: str, cycles: int = CYCLES) -> tuple[MidiExport, Evaluation]:
    evaluation = engine.evaluate(script, 0, cycles)
    assert evaluation.error is None
    facts = engine.parse(script)
    return export_events(evaluation, VoiceFinder(facts), 0, cycles, beats_per_cycle(facts)), evaluation


def content_of(made: MidiExport) -> bytes:
    return write_midi(sequence_to_midi(made.music))


@pytest.mark.parametrize("name", SCRIPTS)
def test_file_has_exactly_the_notes_that_the_engine_plays(name: str, engine: RunningEngine) -> None:
    made, evaluation = exported(engine, SCRIPTS[name])
    content = content_of(made)
    expected = notes_of_events(
        tuple(event for event in evaluation.events if "cps" not in event.value),
        beats_per_cycle(engine.parse(SCRIPTS[name])),
    )
    assert expected
    assert _rounded(notes_of_file(content)) == _rounded(expected)
    assert made.note_count == expected.total()


def _rounded(notes: Counter[EventNote]) -> Counter[EventNote]:
    """Round times to 1/400 of a beat: a file has ticks."""
    found: Counter[EventNote] = Counter()
    for (is_drum, key, start, length, velocity), count in notes.items():
        found[is_drum, key, _to(start), _to(length), velocity] += count
    return found


def _to(time: Fraction) -> Fraction:
    return Fraction(round(time * 400), 400)


def test_drums_are_on_channel_10_and_instruments_have_their_programs(engine: RunningEngine) -> None:
    made, _ = exported(engine, SCRIPTS["labels"])
    assert [(track.name, track.instrument.name) for track in made.music.tracks] == [
        ("drums", "Drums"),
        ("bass", "Acoustic Bass"),
    ]
    basses = [part for part in parts_of(content_of(made)) if len(part) == 4 * CYCLES]
    assert {note.program for part in basses for note in part} == {32}


def test_tempo_is_that_of_the_script(engine: RunningEngine) -> None:
    made, _ = exported(engine, SCRIPTS["labels"])
    assert tempo_map(content_of(made)) == [(Fraction(0), 625_000)]
    made, _ = exported(engine, SCRIPTS["three beats a cycle"])
    assert tempo_map(content_of(made)) == [(Fraction(0), round(60_000_000 / 90))]
    assert made.music.time_signatures == [(Fraction(0), 3, 4)]


def test_tempo_changes_are_where_events_change_it(engine: RunningEngine) -> None:
    made, _ = exported(engine, SCRIPTS["tempo changes"], 4)
    changes = {0: 500_000, 4: 333_333, 8: 250_000, 12: 500_000}
    assert dict(tempo_map(content_of(made))) == {Fraction(beat): tempo for beat, tempo in changes.items()}


def test_what_has_no_midi_meaning_is_counted(engine: RunningEngine) -> None:
    made, _ = exported(engine, SCRIPTS["unpitched samples are left out"], 2)
    assert unmapped_count(made) == 4
    assert made.unmapped == {"sounds without pitch: crow": 2, "sounds without pitch: space": 2}
    made, _ = exported(engine, SCRIPTS["silent notes are left out"], 1)
    assert made.unmapped == {"silent events": 2}


def test_effects_and_rounded_pitches_are_reported(engine: RunningEngine) -> None:
    made, _ = exported(engine, SCRIPTS["effects"], 1)
    assert {"cutoff", "room", "delay"} <= set(made.unused_controls)
    assert made.music.tracks[0].pan == 32
    made, _ = exported(engine, '$: freq("440 450")', 1)
    assert made.rounded_pitches == 1
    assert any("rounded" in line for line in warnings_of(made))


def test_constants_belong_to_the_voice_that_uses_them(engine: RunningEngine) -> None:
    script = 'const riff = "c2 e2"\nconst top = "g5"\nbass: note(riff).gain(.5)\nlead: note(top).gain(.7)'
    made, _ = exported(engine, script, 1)
    assert [(track.name, len(track.notes)) for track in made.music.tracks] == [("bass", 2), ("lead", 1)]


def test_music_is_taken_until_it_repeats(engine: RunningEngine) -> None:
    events = engine.evaluate('$: note("<c d e>")\n$: s("<bd sd>")', 0, 32).events
    assert cycles_until_repeat(events, 32) == 6
    endless = engine.evaluate("$: note(irand(40).segment(4))", 0, 32).events
    assert cycles_until_repeat(endless, 32) is None


def test_gm_names_are_those_of_the_engine(engine: RunningEngine) -> None:
    known = {name for name in engine.names().sounds if name.startswith("gm_")}
    assert set(gm_names()) == known


def test_every_drum_of_general_midi_is_a_sound_and_the_same_drum_again() -> None:
    for key in range(27, 88):
        name, number = sound_of_drum(key)
        assert midi_sound(name, number).key == key


@pytest.mark.parametrize(
    ("sound", "key"),
    [("bd", 36), ("RolandTR909_oh", 46), ("casio", None), ("std_sd", 38), ("hh27", 42), ("808bd", 36), ("hh99", None)],
)
def test_drums_are_found_by_their_last_word(sound: str, key: int | None) -> None:
    assert midi_sound(sound).key == key
