"""Voices that are not in the key of the project, or in different keys."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from consort_music.errors import MusicError
from consort_music.keys import Key, parse_key
from consort_music.pitch import pitch_class_name
from consort_strudel.engine import Evaluation, ScriptFacts
from consort_strudel.music_words import parse_scale, pitch_of
from consort_strudel.structure.voices import voice_places
from consort_strudel.validation.finding import ScriptFinding, warning

_FEWEST_NOTES = 4
_TUNED = 0.1
"""Semitones. Notes further from a key of the piano are in another tuning and do not count."""
_FEWEST_SCALES = 2
"""So many voices must name one key before the notes of the others are compared with it."""
_MOST_OUTSIDE = 1 / 3
_WHOLE_SCALE = 7
"""Notes. Smaller scales, such as pentatonic ones, are part of a major or minor scale."""
_RAISED_IN_MINOR = (9, 11)
"""The raised sixth and seventh of a minor key, in semitones above the tonic."""


class _UsedScale(NamedTuple):
    start: int
    key: Key


def key_mismatches(facts: ScriptFacts, evaluation: Evaluation, key_name: str | None) -> Iterator[ScriptFinding]:
    """Yield a warning for each scale and each voice outside the key of the project, or outside the script's own."""
    key = _read(key_name)
    if key_name and key is None:
        yield warning(
            0,
            f"The project's key '{key_name[:40]}' is not a key, so notes are not compared with it.",
            "Keys are, for example, C minor, Bb major or F# dorian.",
        )
    scales = list(_scales(facts))
    others = [used for used in scales if key is not None and not _fit(used.key, key)]
    source = f"the project is in {key.name}" if key is not None else ""
    if key is None and scales:
        key = _usual(scales)
        others = [used for used in scales if not _fit(used.key, key)]
        first = next(used for used in scales if used.key == key)
        source = f"line {facts.line_column(first.start)[0]} is in {key.name}"
    if key is None:
        return
    written = key.name.replace(" ", ":")
    for used in others:
        yield warning(
            used.start,
            f"This voice is in {used.key.name}, but {source}.",
            f'If that is not wanted: .scale("{written}")',
        )
    if key_name is None and (others or len(scales) < _FEWEST_SCALES):
        return  # the script's own key is not clear
    yield from _notes_outside(facts, evaluation, key, source, {facts.statement_at(used.start) for used in others})


def _read(name: str | None) -> Key | None:
    try:
        return parse_key(name) if name else None
    except MusicError:
        return None


def _scales(facts: ScriptFacts) -> Iterator[_UsedScale]:
    """Yield the scales of the script. A scale that changes on purpose, as `<C:major F:major>`, does not count."""
    for call in facts.calls:
        if call.name != "scale" or not call.args or call.args[0].index is None:
            continue
        string = facts.strings[call.args[0].index]
        scale = parse_scale(string.value) if " " not in string.value or not string.is_mini else None
        if key := _read(scale.key if scale else None):
            yield _UsedScale(string.start, key)


def _usual(scales: list[_UsedScale]) -> Key:
    """Return the key that most scales fit; of equals the first."""
    counts = Counter(used.key for used in scales)  # in the order of the script, which `max` keeps
    return max(counts, key=lambda key: sum(count for other, count in counts.items() if _fit(other, key)))


def _fit(one: Key, other: Key) -> bool:
    """Return whether two scales are one key: relative keys, a part of the other, or variants on the same tonic."""
    small, large = sorted((set(one.pitch_classes), set(other.pitch_classes)), key=len)
    missing = len(small - large)
    if missing == 0:
        return True
    return one.tonic == other.tonic and missing <= (2 if one.is_minor and other.is_minor else 1)


def _notes_outside(
    facts: ScriptFacts, evaluation: Evaluation, key: Key, source: str, skipped: set[int | None]
) -> Iterator[ScriptFinding]:
    allowed = set(key.pitch_classes)
    if len(allowed) < _WHOLE_SCALE:
        allowed |= set(Key(key.step, key.alter, "minor" if key.is_minor else "major").pitch_classes)
    if key.is_minor:
        allowed |= {(key.tonic + step) % 12 for step in _RAISED_IN_MINOR}
    for start, pitches in _pitches_of_voices(facts, evaluation).items():
        if len(pitches) < _FEWEST_NOTES or facts.statement_at(start) in skipped:
            continue
        outside = [pitch for pitch in pitches if pitch % 12 not in allowed]
        if len(outside) > _MOST_OUTSIDE * len(pitches) and len({pitch % 12 for pitch in pitches}) > 1:
            names = (key.spell(pitch) for pitch in outside)
            shown = ", ".join(list(dict.fromkeys(pitch_class_name(name.step, name.alter) for name in names))[:4])
            yield warning(
                start,
                f"{len(outside)} of {len(pitches)} notes of this voice are outside {key.name} ({shown}); {source}.",
                "Transpose the voice, or correct the key.",
            )


def _pitches_of_voices(facts: ScriptFacts, evaluation: Evaluation) -> dict[int, list[int]]:
    """Return the MIDI number of each note, by the start of the voice that plays it."""
    starts = _voice_starts(facts)
    found: dict[int, set[tuple[Fraction, int]]] = defaultdict(set)
    for event in evaluation.events:
        if not isinstance(event.value, dict) or "note" not in event.value or not event.locations:
            continue
        pitch = pitch_of(event.value)
        if pitch is None or abs(pitch - round(pitch)) > _TUNED:
            continue
        places = Counter(bisect_right(starts, start) - 1 for start, _ in event.locations)
        voice = starts[max(places.most_common(1)[0][0], 0)]
        found[voice].add((event.begin, round(pitch)))
    return {start: [pitch for _, pitch in sorted(notes)] for start, notes in found.items()}


def _voice_starts(facts: ScriptFacts) -> list[int]:
    """Return where statements and voices begin."""
    voices = (place.start for place in voice_places(facts))
    return sorted({0, *(statement.start for statement in facts.statements), *voices})
