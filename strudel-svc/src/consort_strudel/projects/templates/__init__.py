"""Scripts to start a project with. Each sets a tempo and plays in any key."""

from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from consort_music.keys import Key, parse_key

TemplateName = Literal["house", "techno", "drum_and_bass", "lofi", "ambient", "chiptune"]


@dataclass(frozen=True)
class _Defaults:
    tempo: float
    key: str


_DEFAULTS: dict[TemplateName, _Defaults] = {
    "house": _Defaults(124, "A minor"),
    "techno": _Defaults(132, "F minor"),
    "drum_and_bass": _Defaults(172, "E minor"),
    "lofi": _Defaults(78, "D dorian"),
    "ambient": _Defaults(60, "C lydian"),
    "chiptune": _Defaults(140, "C major"),
}


def template_script(name: TemplateName, tempo: float | None, key: Key | None, beats_per_cycle: float) -> str:
    """Return a starting script. If no tempo (in BPM) or key is given, it has those that suit its style."""
    defaults = _DEFAULTS[name]
    key = key or parse_key(defaults.key)
    text = (files(__name__) / f"{name}.js").read_text(encoding="utf-8")
    values = {
        "TEMPO": f"{tempo or defaults.tempo:g}",
        "BEATS": f"{beats_per_cycle:g}",
        "TONIC": key.tonic_name,
        "MODE": key.mode.replace(" ", ":"),
    }
    for word, value in values.items():
        text = text.replace(word, value)
    return text
