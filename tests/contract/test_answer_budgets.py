"""The results of tools have a limited number of bytes, because an assistant pays for every byte."""

import json
import random
from typing import Any

import pytest

from tests.support.servers.studio import Studio

SCALE = "C5:q D5:e E5:e F5:q E5:q D5:h G4:h C5:qd D5:e E5:q C5:q D5:h C5:h"
"""Four bars."""
TUNE = " ".join([SCALE] * 4)
"""Sixteen bars."""
CANTUS = "D4:w F4:w E4:w D4:w G4:w F4:w A4:w G4:w F4:w E4:w D4:w F4:w G4:w F4:w E4:w D4:w"
"""Sixteen bars of a cantus firmus."""

BUDGETS: list[tuple[str, int, dict[str, Any]]] = [
    ("generate_melody", 1500, {"key": "C major", "length_measures": 8, "rhythmic_density": "dense", "seed": 1}),
    ("transform_phrase", 2500, {"input_stream": TUNE, "transformation": "inversion"}),
    ("add_voice", 3000, {"existing_voice": TUNE, "new_voice_type": "bass", "seed": 1}),
    ("add_voice", 3000, {"existing_voice": CANTUS, "new_voice_type": "soprano", "species": 5, "seed": 1}),
    ("reharmonize", 4000, {"melody": TUNE, "style": "classical"}),
    ("reharmonize", 4000, {"melody": TUNE, "style": "jazz"}),
    ("compose_export_midi", 1000, {"stream": TUNE}),
    ("query_packs", 15_000, {}),
    ("query_packs", 3500, {"query": "dusty lo-fi drums", "limit": 5}),
    ("get_function_info", 900, {"function_name": "lpf"}),
    ("get_function_info", 1500, {"function_name": "echo that repeats and gets quieter"}),
]


@pytest.mark.parametrize(
    ("tool", "max_bytes", "arguments"), BUDGETS, ids=[f"{tool}-{n}" for n, (tool, *_) in enumerate(BUDGETS)]
)
def test_result_is_within_its_budget(studio: Studio, tool: str, max_bytes: int, arguments: dict[str, Any]) -> None:
    result = studio.call(tool, **arguments)
    assert size(result) <= max_bytes, f"{tool} returns {size(result)} bytes: {sorted(result)}"


def size(result: dict[str, Any]) -> int:
    return len(json.dumps(result, separators=(",", ":"), ensure_ascii=False).encode())


def syncopated(dice: random.Random, count: int) -> str:
    """Return random notes as text. They differ in start, length and velocity, which makes the text long."""
    lengths = ("1/4", "1/2", "3/4", "1")
    items = (
        f"{dice.choice('CDEFGAB')}{dice.choice(('', '#'))}4 @{beat}+{dice.randrange(1, 4)}/4 {dice.choice(lengths)}"
        f" v{dice.randint(40, 110)}"
        for beat in range(count)
    )
    return "; ".join(items)


def test_songs_are_read_and_checked_within_their_budgets(studio: Studio) -> None:
    dice = random.Random(1)
    tracks = {"Lead": "Flute", "Alto": "Alto Sax", "Bass": "Acoustic Bass", "Keys": "Piano"}
    song = {"song_id": studio.call("create_song", title="Big", tracks=tracks, key="C")["song_id"]}
    studio.call("add_notes", **song, notes={name: syncopated(dice, 50) for name in tracks})
    read = studio.call("get_notes", **song)
    assert read["note_count"] == 200 and "next_cursor" not in read
    assert size(read) <= 5000
    studio.call("add_notes", **song, notes={name: syncopated(dice, 400) for name in tracks}, replace=True)
    studio.call("set_chords", **song, chords=" | ".join(dice.choice(("C", "Am7", "F", "G7")) for _ in range(100)))
    checked = studio.call("check_song", **song)
    assert sum(checked["counts"].values()) > 400
    assert size(checked) <= 3000
