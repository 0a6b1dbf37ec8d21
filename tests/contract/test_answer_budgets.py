"""How many bytes an assistant pays for an answer, with every parameter left at its default."""

import json
from typing import Any

import pytest

from tests.studio import Studio

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
]


@pytest.mark.parametrize(
    ("tool", "most", "arguments"), BUDGETS, ids=[f"{tool}-{n}" for n, (tool, *_) in enumerate(BUDGETS)]
)
def test_answer_is_within_its_budget(studio: Studio, tool: str, most: int, arguments: dict[str, Any]) -> None:
    answer = studio.call(tool, **arguments)
    size = len(json.dumps(answer, separators=(",", ":"), ensure_ascii=False).encode())
    assert size <= most, f"{tool} answers {size} bytes: {sorted(answer)}"
