"""Events as short text that an assistant can read: a row per cycle, equal cycles folded.

A row is `cycles: event; event`, and an event `onset note-or-sound length controls`, with onset and length in fractions
of a cycle. A sound that is played several times in the same way has several onsets (`0,1/2 bd 1/4`), a chord several
notes (`0 c4+e4+g4 1`). Controls that all events of a voice share are listed once, above its rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from consort_strudel.engine import PlayedEvent
from consort_strudel.events.voices import ScriptVoice, VoiceFinder

_MOST_CONTROLS = 6
_LONGEST_VALUE = 24


class _EventText(NamedTuple):
    """The parts of an event as text."""

    onset: str
    pitch: str
    """Empty if it has none."""
    after: str
    """Sound, length and controls."""


@dataclass(frozen=True)
class VoiceTable:
    name: str
    line: int | None
    event_count: int
    common: str
    """Controls that all events share."""
    rows: list[str]


def voice_tables(events: Sequence[PlayedEvent], finder: VoiceFinder) -> list[VoiceTable]:
    """Return the table of each voice that plays, from the top of the script to its end."""
    groups: dict[ScriptVoice, list[PlayedEvent]] = {}
    for event in events:
        groups.setdefault(finder.voice_of(event), []).append(event)
    return [_table(voice, groups[voice]) for voice in sorted(groups, key=lambda voice: voice.start)]


def _table(voice: ScriptVoice, events: list[PlayedEvent]) -> VoiceTable:
    values = [_controls(event) for event in events]
    first = values[0]
    common = {
        name: value
        for name, value in first.items()
        if name not in ("note", "freq") and all(name in each and each[name] == value for each in values)
    }
    if len(values) == 1 or not any(value.keys() - common.keys() for value in values):
        common.pop("s", None)
    rows: dict[str, list[int]] = {}
    cycles: dict[int, list[_EventText]] = {}
    for event, value in zip(events, values, strict=True):
        cycle = int(event.begin // 1)
        cycles.setdefault(cycle, []).append(_event_text(event, value, cycle, common))
    for cycle, texts in cycles.items():
        rows.setdefault("; ".join(_folded(texts)), []).append(cycle)
    return VoiceTable(
        voice.name,
        voice.line,
        len(events),
        " ".join(f"{name}={_short(value)}" for name, value in common.items()),
        [f"{_ranges(numbers)}: {text}" for text, numbers in rows.items()],
    )


def _controls(event: PlayedEvent) -> dict[str, Any]:
    if not isinstance(event.value, dict):
        return {"value": event.value}
    # `workletSrc` is the program of K(…). The patterns in it can be read by the sound engine only.
    return {
        "K" if name == "workletSrc" else name: value for name, value in event.value.items() if name != "workletInputs"
    }


def _event_text(event: PlayedEvent, value: Mapping[str, Any], cycle: int, common: Mapping[str, Any]) -> _EventText:
    own = {name: each for name, each in value.items() if name not in common}
    pitch = next((_short(own.pop(name)) for name in ("note", "freq") if name in own), "")
    sound = _short(own.pop("s")) if "s" in own else ""
    if sound and "n" in own and not pitch:
        sound = f"{sound}:{_short(own.pop('n'))}"
    controls = [f"{name}={_short(each)}" for name, each in list(own.items())[:_MOST_CONTROLS] if name != "clip"]
    after = " ".join([*([sound] if sound else []), _fraction(event.duration), *controls])
    return _EventText(_fraction(event.begin - cycle), pitch, after)


def _folded(events: list[_EventText]) -> list[str]:
    """Join the onsets of equal sounds, and the notes of chords."""
    groups: dict[tuple[str, str], list[_EventText]] = {}
    for each in events:
        groups.setdefault((each.onset if each.pitch else "", each.after), []).append(each)
    texts = []
    for (onset, after), group in groups.items():
        onsets = onset or ",".join(each.onset for each in group)
        pitches = "+".join(each.pitch for each in group if each.pitch)
        texts.append(" ".join([onsets, *([pitches] if pitches else []), after]))
    return texts


def _fraction(value: Fraction) -> str:
    return str(value.limit_denominator(960))


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    text = str(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


def _ranges(numbers: list[int]) -> str:
    """Return numbers as ranges: `0-3, 6`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return ", ".join("-".join(map(str, part)) for part in parts)
