"""The example calls in the guides of `skills/`."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from consort_cli.scripted_calls import ScriptedCall

_BLOCK = re.compile(r"^```json\n(.*?)^```", re.MULTILINE | re.DOTALL)


def calls_in(guide: Path) -> Iterator[ScriptedCall]:
    for text in _BLOCK.findall(guide.read_text(encoding="utf-8")):
        call = json.loads(text)
        assert call.keys() - {"as"} == {"tool", "arguments"}, text
        yield ScriptedCall(call["tool"], call["arguments"], call.get("as"))
