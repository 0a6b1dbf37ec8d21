"""Test reharmonize and analyze_harmony through the gateway."""

from typing import Any

import music21
import pytest

from tests.support.servers.studio import Studio

TUNE = "E4:q E4 F4 G4 G4 F4 E4 D4 C4 C4 D4 E4 E4:qd D4:e D4:h"


def test_the_chords_of_a_harmonisation_are_found_by_the_analysis(studio: Studio) -> None:
    made = studio.call("reharmonize", melody=TUNE, style="classical", chord_rhythm="per_half", include_musicxml=True)
    data = made["data"]
    assert made["success"] and data["detected_key"] == "C major"
    options = data["harmonizations"]
    assert all(option["positions"][:3] == ["1:1", "1:3", "2:1"] and option["idea"] for option in options)
    assert len({option["idea"] for option in options}) == 3
    assert [option["rank"] for option in options] == [1, 2, 3]
    assert made["score_id"] == options[0]["score_id"]
    for option in options:
        lists = [option[name] for name in ("chords", "roman_numerals", "functions")]
        assert {len(entries) for entries in lists} == {8}
        assert set(option["scores"]) == {"voice_leading", "chord_melody_fit", "style_adherence", "overall"}
        read: Any = music21.converter.parseData(option["musicxml"], format="musicxml")
        assert [part.partName for part in read.parts] == ["soprano", "alto", "tenor", "bass"]
        assert len(list(read.recurse().getElementsByClass("ChordSymbol"))) > 0
    heard = studio.call("analyze_harmony", score_id=options[1]["score_id"], chord_rhythm="per_half", key="C major")
    roots = [chord["chord"].split("/")[0].rstrip("7") for chord in heard["data"]["chords"]]
    wanted = [chord.split("/")[0].rstrip("7") for chord in options[1]["chords"]]
    assert not heard["data"]["implied"]
    assert sum(root in wanted for root in roots) >= 0.7 * len(roots)


def test_fermatas_of_a_written_score_mark_its_cadences(studio: Studio) -> None:
    chords = "[C,EGc][F,FAc][G,DGB]!fermata![G,DGB]|[C,EGc][D,FAd][G,DGB]!fermata![C,EGc]|]"
    heard = studio.call("analyze_harmony", music=f"X:1\nM:4/4\nL:1/4\nK:C\n{chords}")
    found = [(cadence["kind"], cadence["measure"], cadence["roman_numerals"]) for cadence in heard["data"]["cadences"]]
    assert found == [("half", 1, ["IV", "V"]), ("perfect", 2, ["V", "I"])]
    again = studio.call("analyze_harmony", score_id=heard["score_id"])
    assert again["data"]["cadences"] == heard["data"]["cadences"]


def test_a_stated_key_a_seed_and_short_answers(studio: Studio) -> None:
    arguments: dict[str, Any] = {"melody": "D4:h F4:h A4:h G4:h D4:w", "style": "modal", "key": "D dorian", "seed": 5}
    first, second = (studio.call("reharmonize", **arguments) for _ in range(2))
    shown = [[option["chords"] for option in made["data"]["harmonizations"]] for made in (first, second)]
    assert shown[0] == shown[1]
    assert first["data"]["detected_key"] == "D dorian"
    assert "musicxml" not in first["data"]["harmonizations"][0]


def test_requests_that_cannot_be_met_give_a_warning(studio: Studio) -> None:
    made = studio.call("reharmonize", melody="C4:w", style="pop", num_options=10)
    assert len(made["data"]["harmonizations"]) == 3
    assert [warning["code"] for warning in made["warnings"]] == ["FEWER_OPTIONS"]
    foreign = {"melody": "C4:w F#4:w G4:w C4:w", "key": "C major", "style": "pop"}
    chromatic = studio.call("reharmonize", **foreign)
    assert [(warning["code"], warning["measure"]) for warning in chromatic["warnings"]] == [("CONSTRAINT_RELAXED", 2)]


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "field"),
    [
        ("reharmonize", {"melody": "", "style": "pop"}, "EMPTY_INPUT", "melody"),
        ("reharmonize", {"melody": "R:w", "style": "pop"}, "EMPTY_INPUT", "melody"),
        ("reharmonize", {"melody": "what is this", "style": "pop"}, "PARSE_ERROR", "melody"),
        ("reharmonize", {"melody": "C4 X4", "style": "pop"}, "INVALID_NOTE", "melody"),
        ("reharmonize", {"melody": "C4", "style": "pop", "key": "H major"}, "INVALID_KEY", "key"),
        ("reharmonize", {"melody": "C4", "style": "baroque"}, "INVALID_INPUT", "style"),
        ("reharmonize", {"melody": "C4", "style": "pop", "num_options": 11}, "INVALID_INPUT", "num_options"),
        ("reharmonize", {"melody": "C4:w " * 2001, "style": "pop"}, "TOO_LARGE", "melody"),
        ("analyze_harmony", {"music": ""}, "EMPTY_INPUT", "music"),
        ("analyze_harmony", {"music": "C4", "key": "H major"}, "INVALID_KEY", "key"),
    ],
)
def test_errors_have_code_and_field(
    studio: Studio, tool: str, arguments: dict[str, Any], code: str, field: str
) -> None:
    error = studio.failed_call(tool, **arguments)
    assert (error["code"], error["field"]) == (code, field), error
