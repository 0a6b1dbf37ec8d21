"""Send small files and texts that cost much if they are unpacked, expanded or run, through the front door.

Each call must end in time with a clear error or a short answer, and the service must keep its process and its memory.
"""

import base64
import io
import json
import time
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import psutil
import pytest
import soundfile

from tests.faults.conftest import leaks
from tests.support.errors_and_faults.error_shape import check_error_shape
from tests.support.errors_and_faults.injected_faults import pid_of
from tests.support.midi_chunks import END, header, track
from tests.support.midi_files import as_base64
from tests.support.servers.studio import Studio

MOST_SECONDS = 60
"""The limits are shorter, but the machine may be busy."""
MOST_GROWTH = 200_000_000
"""Bytes by which the memory of a service may grow."""
LONGEST_ANSWER = 100_000

SCORE = (
    '<score-partwise version="4.0"><part-list><score-part id="P1"><part-name>{name}</part-name></score-part>'
    '</part-list><part id="P1">{bars}</part></score-partwise>'
)
CONTAINER = b'<container><rootfiles><rootfile full-path="score.xml"/></rootfiles></container>'


def billion_laughs() -> str:
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "ha" * 100}">' for n in range(12))
    return f"<!DOCTYPE score-partwise [{entities}]>" + SCORE.format(name="&a11;", bars="")


def outside_entity() -> str:
    name = '<!DOCTYPE score-partwise [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    return name + SCORE.format(name="&x;", bars="")


def packed(files: dict[str, bytes]) -> str:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return base64.b64encode(memory.getvalue()).decode()


def archive_in_archive() -> str:
    inner = base64.b64decode(packed({f"{n}.xml": bytes(10_000_000) for n in range(5)}))
    return packed({"META-INF/container.xml": CONTAINER, "score.xml": inner})


def long_silence() -> str:
    memory = io.BytesIO()
    with soundfile.SoundFile(memory, "w", 4_000, 1, "PCM_16", format="FLAC", compression_level=0) as file:
        for _ in range(30):
            file.write(np.zeros(1_000_000, np.int16))
    return base64.b64encode(memory.getvalue()).decode()


def dense_midi() -> str:
    """Return a file of half a megabyte in which 200,000 notes sound at once."""
    return as_base64(header() + track(b"\x00\x90\x3c\x40" + b"\x00\x3d" * 200_000 + END))


BOMBS: dict[str, tuple[str, str, Callable[[], dict[str, Any]]]] = {
    "entities in entities": ("compose", "analyze_harmony", lambda: {"music": billion_laughs()}),
    "an entity of a file": ("compose", "midi_to_notation", lambda: {"music": outside_entity()}),
    "deep XML": ("compose", "analyze_harmony", lambda: {"music": "<score-partwise>" * 100_000}),
    "many bars": (
        "compose",
        "midi_to_notation",
        lambda: {"music": SCORE.format(name="x", bars='<measure number="1"/>' * 100_000)},
    ),
    "an archive of zeros": (
        "midi-store",
        "validate_midi",
        lambda: {"midi_text": packed({"META-INF/container.xml": CONTAINER, "score.xml": bytes(200_000_000)})},
    ),
    "an archive of 20,000 files": (
        "midi-store",
        "validate_midi",
        lambda: {"midi_text": packed({f"{n}.xml": b"" for n in range(20_000)})},
    ),
    "an archive in an archive": ("midi-store", "validate_midi", lambda: {"midi_text": archive_in_archive()}),
    "a MIDI file of years": (
        "midi-store",
        "store_midi",
        lambda: {
            "base64": as_base64(header() + track(b"\xff\xff\xff\x7f\xd0\x01" * 10_000 + END)),
            "name": "years.mid",
        },
    ),
    "a dense MIDI file": ("midi-store", "store_midi", lambda: {"base64": dense_midi(), "name": "dense.mid"}),
    "broken rhythm in ABC": ("compose", "analyze_harmony", lambda: {"music": f"X:1\nK:C\nC{'>' * 50_000}D|\n"}),
    "entities in MEI": (
        "compose",
        "analyze_harmony",
        lambda: {"music": billion_laughs().replace("score-partwise", "mei")},
    ),
    "kern without end": ("compose", "analyze_harmony", lambda: {"music": "**kern\n" + "4c\n" * 160_000}),
    "a long expression": ("midi-store", "validate_midi", lambda: {"midi_text": f"tempo 120\nC4 80 {'(' * 9_000}1\n"}),
    "hours of silence": ("audio", "store_audio", lambda: {"base64": long_silence(), "name": "silence.flac"}),
    "a script that loops": ("strudel", "validate_script", lambda: {"script_content": "for (;;) {}"}),
    "a script that fills the memory": (
        "strudel",
        "preview_events",
        lambda: {"code": "const a = []; for (;;) a.push(new Array(1e5).fill(1.1))"},
    ),
    "a clip with endless events": (
        "strudel",
        "find_similar_clips",
        lambda: {"code_snippet": f's("bd{"*9" * 12}")', "top_k": 3},
    ),
    "a script with endless events": ("strudel", "strudel_export_midi", lambda: {"code": 's("bd*999999999")'}),
}

LEGAL = {"many bars", "a dense MIDI file", "a clip with endless events"}
"""Bombs that are large, but may succeed."""


@pytest.mark.parametrize("bomb", BOMBS)
def test_bomb(attacked_studio: Studio, bomb: str) -> None:
    service, tool, arguments = BOMBS[bomb]
    process = psutil.Process(pid_of(attacked_studio, service))
    before = process.memory_info().rss
    began = time.monotonic()
    ok, result = attacked_studio.try_call(tool, **arguments())
    assert time.monotonic() - began < MOST_SECONDS
    answer = json.dumps(result)
    assert len(answer) < LONGEST_ANSWER and not leaks(attacked_studio, answer) and "root:" not in answer
    if ok:
        assert bomb in LEGAL or result.get("valid") is False, result
    else:
        assert check_error_shape(result)["code"] not in ("INTERNAL_ERROR", "SERVICE_DOWN"), result
    assert process.is_running() and pid_of(attacked_studio, service) == process.pid, "the service was restarted"
    assert process.memory_info().rss - before < MOST_GROWTH
