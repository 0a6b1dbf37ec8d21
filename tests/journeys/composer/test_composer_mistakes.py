"""Make common wrong calls of the composer tools. They must be understood, or the error must say how to correct them."""

from typing import Any

import pytest

from consort_kit.ids import new_id
from tests.support.errors_and_faults.wrong_calls import WrongCall, assert_says_how_to_correct
from tests.support.servers.studio import Studio

GOOD: dict[str, dict[str, Any]] = {
    "generate_melody": {"key": "C major", "length_measures": 4},
    "transform_phrase": {"input_stream": "C4:q D4:q", "transformation": "repeat"},
    "add_voice": {"existing_voice": "C4:w D4:w E4:w C4:w", "new_voice_type": "bass"},
    "reharmonize": {"melody": "C4:q E4:q G4:h", "style": "pop"},
    "realize_chord": {"chord_symbol": "C"},
}
"""Other arguments that a call needs, by tool."""


def abc(*lines: str) -> dict[str, Any]:
    return {"melody": "\n".join(["X:1", *lines])}


def musicxml(
    pitch: str = "<step>C</step><octave>4</octave>", duration: str = "4", divisions: str = "1"
) -> dict[str, Any]:
    return {
        "music": '<score-partwise version="4.0"><part-list><score-part id="P1"><part-name>Flute</part-name>'
        f'</score-part></part-list><part id="P1"><measure number="1"><attributes><divisions>{divisions}</divisions>'
        f"</attributes><note><pitch>{pitch}</pitch><duration>{duration}</duration></note></measure></part></score-partwise>"
    }


def phrase(text: str) -> Any:
    return {"input_stream": text}


MISTAKES: list[WrongCall] = [
    ("generate_melody", {"key": "H major"}, "'C major', 'D minor', 'F# dorian'"),
    ("generate_melody", {"time_signature": "waltz"}, "4/4, 6/8"),
    ("generate_melody", {"range_low": "C6", "range_high": "C4"}, "range_low C4, range_high C6"),
    ("generate_melody", {"range_low": "60"}, "Write the name of the note: C4"),
    ("generate_melody", {"range_low": 60}, '{"range_low": "C4"}'),
    ("generate_melody", {"range_low": "C"}, "C4 (middle C)"),
    ("generate_melody", {"start_note": "F#4"}, "such as F4"),
    (
        "generate_melody",
        {"end_note": "C9"},
        "outside the range C4 to C6. Give a note of the key in the range, such as C6",
    ),
    ("generate_melody", {"contour": "up"}, "'ascending'"),
    ("generate_melody", {"avoid_leaps_greater_than": "fifth"}, "P5 (fifth)"),
    ("generate_melody", {"avoid_leaps_greater_than": "M5"}, "such as P5"),
    ("generate_melody", {"chords": "C Am Fmajj7"}, "Bar 3: 'Fmajj7'"),
    ("generate_melody", {"chords": "I | V"}, "such as G7 for V7 in C major"),
    ("generate_melody", {"chords": "% | C"}, "Begin with a chord: C / F G"),
    ("generate_melody", {"pickup": 4}, "shorter than a bar of 4/4, which has 4"),
    ("generate_melody", {"pickup": 0.3}, "a multiple of 0.25"),
    ("generate_melody", {"length_measures": 64, "time_signature": "32/4"}, "give 32 measures or fewer"),
    ("generate_melody", {"range_low": "C#4", "range_high": "C#4"}, "a higher range_high"),
    ("transform_phrase", phrase(""), "C4:q D4:q E4:h"),
    ("transform_phrase", phrase("C4:q H4:q"), "line 1, column 6: 'H4' is not a pitch"),
    ("transform_phrase", phrase('C4:q\n"alto" D4:z'), "line 2, column 8: 'z' is not a duration. Write w h q e s or t"),
    ("transform_phrase", phrase("C:q D:q"), "Write it as C4:q"),
    ("transform_phrase", phrase("C4:0"), "Write C4:1/2 or C4:q"),
    ("transform_phrase", phrase("C4 quarter D4 half"), "C4:quarter"),
    ("transform_phrase", phrase("C4 1; D4 1/2"), "C4:1"),
    ("transform_phrase", phrase("[C4 E4 G4]:q"), "C4+E4+G4:h"),
    ("transform_phrase", phrase("do re mi"), "'do re mi'"),
    ("transform_phrase", phrase("score_nope"), "26 letters and digits"),
    ("transform_phrase", phrase(new_id("score")), "kept for 30 days"),
    ("transform_phrase", phrase("tune.mid"), "store_midi"),
    ("transform_phrase", {"input_stream": "C4:q", "input_format": "musicxml"}, "Leave the format out"),
    ("transform_phrase", {"interval": "P3"}, "such as M3"),
    ("transform_phrase", {"transformation": "sequence", "repetitions": 16, "interval": "P8"}, "fewer repetitions"),
    ("add_voice", {"range_low": "C4", "range_high": "C3"}, "usually has E2 to E4"),
    ("add_voice", {"range_low": "C4", "range_high": "C#4"}, "only 1 note of C major"),
    ("add_voice", {"position": "above", "range_low": "C2", "range_high": "C3"}, "Change range_low or range_high"),
    ("add_voice", {"harmonic_context": "C | X"}, "Bar 2: 'X' is not a chord symbol"),
    ("reharmonize", abc("M:4", "K:C", "CDEF|"), "ABC line 2: '4' is not a metre. Write M:4/4"),
    ("reharmonize", abc("L:eighth", "K:C", "CDEF|"), "Write L:1/8"),
    ("reharmonize", abc("K:Cfoo", "CDEF|"), "K:Cdor"),
    ("reharmonize", abc("K:C", "C D € F|"), "ABC line 3: '€ F|' at column 5"),
    ("reharmonize", abc("K:C", "C0|"), "Write C, C2 or C/2"),
    ("reharmonize", abc("K:C", "c''''''''|"), "C is middle C"),
    ("reharmonize", {"melody": "C4:w " * 600}, "Give at most 2000 beats"),
    ("analyze_harmony", {"music": "<score>"}, "must begin with <score-partwise>"),
    (
        "analyze_harmony",
        musicxml(pitch="<step>H</step><octave>4</octave>"),
        "Flute, measure 1: <pitch> has the step 'H'",
    ),
    ("analyze_harmony", musicxml(duration="x"), "Write <duration>4</duration>"),
    ("analyze_harmony", musicxml(divisions="0"), "Write how many make a quarter note"),
    ("analyze_harmony", {"music": "C4:w D4:w", "species": 1}, "Write each voice on its own line"),
    ("realize_chord", {"chord_symbol": "H7"}, "Did you mean B7?"),
    ("realize_chord", {"chord_symbol": "C | F"}, "write one chord symbol"),
    ("realize_chord", {"chord_symbol": "N.C."}, "Give a chord such as C"),
    ("realize_chord", {"inversion": 3}, "from 0 (root in the bass) to 2, not 3"),
    ("realize_chord", {"bass_note": "E3"}, "Write E."),
    ("realize_chord", {"range_low": "C4", "range_high": "D4"}, "at least two octaves apart"),
    ("realize_progression", {}, "Fmaj7 | Gm7 C7"),
    ("realize_progression", {"chords": "C | F", "song_id": new_id("song")}, "Both 'chords' and 'song_id' are given"),
    ("realize_progression", {"chords": "C | F", "section": "Verse"}, "Give its song_id too"),
    ("realize_progression", {"chords": ["N.C."]}, "Give at least one chord, such as C"),
    ("realize_progression", {"chords": "C | " * 300}, "at most 128"),
    ("compose_export_midi", {"stream": "C4:q", "tempo": "fast"}, '{"tempo": 96}'),
    ("compose_export_midi", {"stream": "C4:q", "name": "a/b.mid"}, "song.mid"),
    ("validate_midi", {"midi_text": "tempo fast\nC4 80"}, "line 1: The tempo is 'fast'. Write quarter notes a minute"),
    ("validate_midi", {"midi_text": "tempo 120\nC4 200"}, "line 2: The velocity '200'"),
    ("validate_midi", {"midi_text": "tempo 120\nC4 80 0 0"}, "'C4 80 0 1/2'"),
    ("validate_midi", {"midi_text": "tempo 120\nC4 80 (1+1 1"}, "Invalid note at line 2: A parenthesis"),
    ("validate_midi", {"midi_text": "tempo 120\ntrack Kit drums\nkik 80"}, "Did you mean kick?"),
    ("validate_midi", {"midi_text": "C4:q D4:q E4:x"}, "line 1, column 11: 'x' is not a duration"),
]


@pytest.mark.parametrize(("tool", "arguments", "repair"), MISTAKES, ids=range(len(MISTAKES)))
def test_the_error_says_how_to_correct_the_call(
    studio: Studio, tool: str, arguments: dict[str, Any], repair: str
) -> None:
    assert_says_how_to_correct(studio.try_call(tool, **{**GOOD.get(tool, {}), **arguments}), repair)


def test_unambiguous_mistakes_are_understood(studio: Studio) -> None:
    by_bars = studio.call("generate_melody", **GOOD["generate_melody"], seed=1, chords="C | Am")
    listed = studio.call("generate_melody", **GOOD["generate_melody"], seed=1, chords=["C", "Am"])
    assert listed["note_list"] == by_bars["note_list"]
    assert (
        studio.call("transform_phrase", abc="X:1\nL:1/4\nK:C\nC", transformation="repeat")["note_list"] == "C4:q C4:q"
    )
    led = studio.call("realize_chord", chord_symbol="F", previous_voicing="C4 E4 G4")
    assert led["data"]["voicing"]["notes"] == ["C4", "F4", "A4"]
