"""analyze_song_structure: the document's use cases, and types and instruments of voices."""

import pytest

from consort_strudel.structure import SongStructure, structure_of
from evaluation.strudel_scripts.voices import songs
from tests.support.strudel_engine import RunningEngine

SONG = """setcpm(124/4)
samples('github:tidalcycles/Dirt-Samples')

// --- Intro ---
drums: s("bd*4, [~ sd]*2").bank("RolandTR909").room(.2)
_hats: s("hh*8").gain(.4)

// Main: everything
$: note("<c2 eb2>*4").s("sawtooth").lpf(600)
lead: n("0 2 4 7").scale("C4:minor").s("piano")
"""


@pytest.fixture(scope="module")
def song(engine: RunningEngine) -> SongStructure:
    return structure_of(engine.parse(SONG))


def test_the_rhythm_section_can_be_found(song: SongStructure) -> None:
    rhythm = [voice for voice in song.structure.voices if voice.type == "rhythm"]
    assert [(voice.name, voice.lines, voice.is_muted) for voice in rhythm] == [
        ("drums", [5, 5], False),
        ("hats", [6, 6], True),
    ]


def test_the_intro_can_be_found(song: SongStructure) -> None:
    intro, main = song.structure.sections
    assert (intro.name, intro.lines, intro.voices) == ("intro", [4, 7], ["voice_1", "voice_2"])
    assert (main.name, main.description, main.voices) == ("main", "everything", ["voice_3", "voice_4"])


def test_the_snare_can_be_found_in_a_string_that_it_shares(song: SongStructure) -> None:
    places = [
        (voice.id, place.line, place.column)
        for voice in song.structure.voices
        for place in voice.instruments
        if place.instrument == "snare"
    ]
    assert places == [("voice_1", 5, 20)]
    assert song.structure.voices[0].effects == ["room"]


def test_setup_and_summary(song: SongStructure) -> None:
    setup = song.structure.setup
    assert (setup.tempo, setup.packs) == (124, ["github:tidalcycles/Dirt-Samples"])
    assert setup.lines[0] == 1 and setup.content[0] == "setcpm(124/4)"
    assert (song.summary.voice_count, song.summary.section_count, song.summary.key) == (4, 2, "C minor")


def test_type_and_instrument_of_voices(engine: RunningEngine) -> None:
    """At least 90% of the voices of 100 scripts."""
    right = voices = 0
    for labelled in songs(100):
        found = {voice.pattern: voice for voice in structure_of(engine.parse(labelled.script)).structure.voices}
        for voice in labelled.voices:
            voices += 1
            got = found.get(voice.code)
            right += bool(
                got and got.type == voice.type and voice.instrument in [place.instrument for place in got.instruments]
            )
    assert right >= 0.9 * voices


def test_sections_of_an_arrangement(engine: RunningEngine) -> None:
    script = (
        'const intro = s("bd*4")\n'
        'const verse = stack(s("bd*4"), note("c2*4").s("sawtooth"))\n'
        "arrange([4, intro], [8, verse])"
    )
    parts = structure_of(engine.parse(script)).structure
    assert [(section.name, section.description, section.voices) for section in parts.sections] == [
        ("intro", "4 cycles", ["voice_1"]),
        ("verse", "8 cycles", ["voice_2", "voice_3"]),
    ]


def test_parts_of_an_arrangement_without_a_name_are_numbered(engine: RunningEngine) -> None:
    script = (
        'const drums = s("bd*4")\n'
        'const bass = note("c2*4").s("sawtooth")\n'
        "arrange(\n  [4, bass],\n  [8, stack(drums, bass)],\n  [1, drums.fast(2)],\n)"
    )
    parts = structure_of(engine.parse(script)).structure
    assert [(each.name, each.lines, each.description, each.voices) for each in parts.sections] == [
        ("bass", [2, 2], "4 cycles", ["voice_2"]),
        ("part 2", [5, 5], "8 cycles", ["voice_1", "voice_2"]),
        ("part 3", [6, 6], "1 cycle", ["voice_1"]),
    ]


@pytest.mark.parametrize(
    ("comment", "name", "description"),
    [
        ("// Chorus (loud)", "chorus", "loud"),
        ("/* Drop! */", "drop", None),
        ("// 1. Intro", "intro", None),
        ("// Kick drum", "kick drum", None),
        ("// Hi-hats, busy", "hi-hats", "busy"),
        ("// Bass line", "bass line", None),
        ("// === VERSE 2 ===", "verse 2", None),
        ("/**\n * Part A: calm\n */", "part a", "calm"),
        ("// Rolling bass - with a filter", "rolling bass", "with a filter"),
        ("// 🥁 Drums & bass", "drums & bass", None),
        ("// [Pre-chorus]", "pre-chorus", None),
        ("// Marimba", "marimba", None),
    ],
)
def test_headings(engine: RunningEngine, comment: str, name: str, description: str | None) -> None:
    script = f'// Intro\na: s("bd")\n{comment}\nb: s("hh")\n'
    first, second = structure_of(engine.parse(script)).structure.sections
    assert (first.name, first.voices) == ("intro", ["voice_1"])
    assert (second.name, second.description, second.voices) == (name, description, ["voice_2"])
    assert second.lines[1] == script.count("\n")


@pytest.mark.parametrize(
    "comment",
    [
        "// before bass",
        "// add drums here",
        "// the bass plays eighths",
        '// bass: note("c2")',
        "// bass too loud",
        "// no drums in the intro",
        "// A fast break, a deep bass line, and wide pads at half the speed",
        "// ========",
        "// C major, 4/4, 8 cycles (one bar each)",
    ],
)
def test_remarks_are_no_headings(engine: RunningEngine, comment: str) -> None:
    parts = structure_of(engine.parse(f'// Intro\na: s("bd")\n{comment}\nb: s("hh") // Drums\n// Outro\n')).structure
    assert [(section.name, section.voices) for section in parts.sections] == [("intro", ["voice_1", "voice_2"])]


def test_headings_within_a_part_and_within_a_stack(engine: RunningEngine) -> None:
    script = (
        '// Intro\n// Drums\na: s("bd")\n// Bass\nb: note("c2")\n// Verse\n'
        'c: stack(\n  // Pads\n  note("c4"),\n  // Lead\n  note("e5"),\n)\n// Outro\nd: s("cr")\n'
    )
    parts = structure_of(engine.parse(script)).structure
    assert [(section.name, section.lines, len(section.voices)) for section in parts.sections] == [
        ("intro", [1, 5], 2),
        ("drums", [2, 3], 1),
        ("bass", [4, 5], 1),
        ("verse", [6, 12], 2),
        ("pads", [8, 9], 1),
        ("lead", [10, 12], 1),
        ("outro", [13, 14], 1),
    ]


def test_lines_are_those_of_the_script(engine: RunningEngine) -> None:
    found = structure_of(engine.parse('// A song\nsetcpm(30) // slow\n\n// Drums\n$: stack(\n  s("bd"),\n  s("hh"))\n'))
    assert (found.structure.setup.lines, found.summary.total_lines) == ([1, 2], 7)
    assert found.structure.setup.content == ["// A song", "setcpm(30) // slow"]
    assert [section.lines for section in found.structure.sections] == [[4, 7]]
    assert structure_of(engine.parse("$: stack(\n  s('bd'),\n  s('hh'))")).structure.setup.lines == []


def test_parts_of_pick_are_voices_and_sections(engine: RunningEngine) -> None:
    script = (
        'kick: "<intro verse>".pick({\n  intro: s("bd*4"),\n  verse: stack(s("bd*4"), note("c3 e3")).s("piano"),\n})'
        '.room(.5)\n$: "<0 1>".pick([note("c2"), note("e2")]).s("sawtooth")\n'
        '$: "<0 1>".pick(["c", "e"]).note().s("piano")'
    )
    parts = structure_of(engine.parse(script)).structure
    assert [(voice.instrument, voice.effects) for voice in parts.voices] == [
        ("kick", ["room"]),
        ("kick", ["room"]),
        ("piano", ["room"]),
        ("sawtooth synth", []),
        ("sawtooth synth", []),
        ("piano", []),
    ]
    assert [(section.name, section.voices) for section in parts.sections] == [
        ("intro", ["voice_1"]),
        ("verse", ["voice_2", "voice_3"]),
    ]


def test_a_script_without_voices(engine: RunningEngine) -> None:
    empty = structure_of(engine.parse("// nothing yet\n"))
    assert empty.structure.voices == [] and empty.summary.complexity == "simple"


def test_a_voice_with_several_drums_is_called_drums(engine: RunningEngine) -> None:
    voice = structure_of(engine.parse('$: s("bd oh RolandTR909_cp claves")')).structure.voices[0]
    assert [place.instrument for place in voice.instruments] == ["kick", "open hi-hat", "clap", "percussion"]
    assert voice.instrument == "drums"
