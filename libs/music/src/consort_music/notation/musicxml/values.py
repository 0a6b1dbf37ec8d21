"""Read the values of single MusicXML elements: numbers, pitches, metres, keys, tempos, lyrics, transpositions."""

import re
from collections.abc import Iterator
from fractions import Fraction

from consort_music.chords.symbol import NoteName
from consort_music.errors import MusicError, quoted
from consort_music.intervals import Interval, transpose, usual_interval
from consort_music.keys import MODES, Key, key_of_signature
from consort_music.metre import DENOMINATORS, Metre, metre_in_limits
from consort_music.notation.limits import MAX_SYLLABLE, MAX_VERSES
from consort_music.notation.musicxml.xml_elements import Element
from consort_music.notation.writing.divisions import MOST_DIVISIONS
from consort_music.pitch import STEPS, Pitch
from consort_music.score import Lyric
from consort_music.texts.visible_text import visible_line
from consort_music.transposition import transpose_key

NUMBER = re.compile(r"[+-]?[0-9]{1,10}(?:\.[0-9]{0,9})?")
_PER_MINUTE = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,6})?")
_QUARTERS = {
    "long": Fraction(16), "breve": Fraction(8), "whole": Fraction(4), "half": Fraction(2), "quarter": Fraction(1),
    "eighth": Fraction(1, 2), "16th": Fraction(1, 4), "32nd": Fraction(1, 8), "64th": Fraction(1, 16),
    "128th": Fraction(1, 32),
}  # fmt: skip
_MOST_SHARPS = 14
_SUNG = ("text", "elision")
_SYLLABICS = ("single", "begin", "middle", "end")
_SLOWEST, _FASTEST = 4, 6000
_SAME_MODES = {"ionian": "major", "aeolian": "minor"}


class OutOfRange(Exception):
    """Raised for a pitch outside the MIDI range."""


def number_in(text: str, what: str) -> Fraction:
    if not NUMBER.fullmatch(text):
        raise MusicError(
            "PARSE_ERROR",
            f"<{what}> is {quoted(text, 20)}, which is not a number of at most 10 digits. Write <{what}>4</{what}>.",
        )
    return Fraction(text)


def lyrics_of(note: Element) -> Iterator[Lyric]:
    """Yield the syllables of a note. Those without a verse number count in their order."""
    for index, element in enumerate(note.all("lyric")[:MAX_VERSES], start=1):
        text = "".join(
            " " if child.tag == "elision" else child.text for child in element.children if child.tag in _SUNG
        )
        number = element.attributes.get("number", "")
        verse = int(number) if number.isdecimal() and 1 <= int(number[:3]) <= MAX_VERSES else index
        syllabic = element.text_of("syllabic") or "single"
        if plain := visible_line(text)[:MAX_SYLLABLE]:
            yield Lyric(plain, syllabic if syllabic in _SYLLABICS else "single", verse)


def divisions_of(element: Element) -> Fraction:
    divisions = number_in(element.text.strip(), "divisions")
    if not 0 < divisions <= MOST_DIVISIONS:
        raise MusicError(
            "PARSE_ERROR",
            f"<divisions> is {element.text.strip()[:20]}. Write how many make a quarter note, from 1: "
            "<divisions>4</divisions>.",
        )
    return divisions


def duration_in(text: str) -> Fraction:
    duration = number_in(text, "duration")
    if duration < 0:
        raise MusicError(
            "PARSE_ERROR",
            f"<duration> is {text}, and must not be below 0. Write divisions, such as <duration>4</duration>.",
        )
    return duration


def value_of(kind: str, dots: int, ratio: Element | None) -> Fraction | None:
    """Return the length of a note value in quarter notes, or None if its kind or ratio is unknown.

    `ratio` is the `time-modification` element of a tuplet.
    """
    value = _QUARTERS.get(kind)
    if value is None:
        return None
    value *= 2 - Fraction(1, 2 ** min(dots, 4))
    if ratio is not None:
        actual, normal = ratio.text_of("actual-notes") or "", ratio.text_of("normal-notes") or ""
        if not (actual.isdecimal() and normal.isdecimal() and len(actual) < 4 and len(normal) < 4 and int(actual)):
            return None
        value *= Fraction(int(normal), int(actual))
    return value


def sounding_pitch(element: Element, interval: Interval) -> Pitch:
    """Return the sounding pitch. `interval` is the transposition. A microtone is rounded towards the natural note.

    Raise PARSE_ERROR if it is not a pitch, and OutOfRange if it is outside the MIDI range.
    """
    step = element.text_of("step") or ""
    octave = element.text_of("octave") or ""
    alter = int(number_in(element.text_of("alter") or "0", "alter"))
    if step not in STEPS or len(step) != 1 or not octave.isdecimal() or len(octave) > 1:
        raise MusicError(
            "PARSE_ERROR",
            f"<pitch> has the step {quoted(step, 8)} and the octave {quoted(octave, 8)}. Write a step A to G and an "
            "octave 0 to "
            "9: <step>C</step><octave>4</octave>.",
        )
    try:
        natural = Pitch(step, 0, int(octave))
        pitch = Pitch(step, alter, int(octave)) if abs(alter) <= 2 else Pitch.from_midi(natural.midi + alter)
        if interval.steps or interval.semitones:
            pitch = transpose(pitch, interval)
        if pitch.midi >= 0:
            return pitch
    except MusicError:
        pass
    raise OutOfRange


def is_microtone(element: Element) -> bool:
    return number_in(element.text_of("alter") or "0", "alter").denominator > 1


def transposition_of(element: Element) -> Interval:
    """Return the interval from written to sounding pitch."""
    chromatic = int(number_in(element.text_of("chromatic") or "0", "chromatic"))
    octaves = int(number_in(element.text_of("octave-change") or "0", "octave-change"))
    diatonic = element.text_of("diatonic")
    steps = int(number_in(diatonic, "diatonic")) if diatonic else usual_interval(chromatic).steps
    return Interval(steps + 7 * octaves, chromatic + 12 * octaves)


def metre_of(element: Element) -> Metre | None:
    """Return the sum of the written metres: 3+2/8 is 5/8. Return None if it is not a metre that files can have."""
    total, finest = Fraction(0), 1
    for upper, lower in zip(element.all("beats"), element.all("beat-type"), strict=False):
        unit = lower.text.strip()
        if not unit.isdecimal() or int(unit[:4]) not in DENOMINATORS:
            return None
        for count in upper.text.split("+"):
            if not count.strip().isdecimal():
                return None
            total += Fraction(int(count.strip()[:4]), int(unit))
        finest = max(finest, int(unit))
    return metre_in_limits(int(total * finest), finest)


def key_of(element: Element, interval: Interval) -> Key | None:
    """Return the sounding key, or None if the element states no number of sharps or flats."""
    fifths = element.text_of("fifths") or ""
    if not NUMBER.fullmatch(fifths) or abs(Fraction(fifths)) > _MOST_SHARPS:
        return None
    mode = (element.text_of("mode") or "major").lower()
    mode = _SAME_MODES.get(mode, mode)
    key = key_of_signature(int(Fraction(fifths)), mode if mode in MODES else "major")
    if not interval.steps and not interval.semitones:
        return key
    try:
        return transpose_key(key, interval)
    except MusicError:
        return None


def tempo_of(text: str) -> Fraction | None:
    bpm = Fraction(text) if NUMBER.fullmatch(text) else Fraction(0)
    return bpm if _SLOWEST <= bpm <= _FASTEST else None


def metronome_of(element: Element) -> Fraction | None:
    """Return the quarter notes per minute of a metronome mark.

    Return None if it has no note value or number, or if the tempo is not from 4 to 6000.
    """
    unit = _QUARTERS.get(element.text_of("beat-unit") or "")
    number = _PER_MINUTE.search(element.text_of("per-minute") or "")
    if unit is None or number is None:
        return None
    dots = len(element.all("beat-unit-dot"))
    bpm = Fraction(number[0]) * unit * (2 - Fraction(1, 2 ** min(dots, 4)))
    return bpm if _SLOWEST <= bpm <= _FASTEST else None


def tone_of(element: Element, of: str) -> NoteName | None:
    """Return the written root or bass of a chord symbol, or None. `of` is `root` or `bass`."""
    found = element.find(of)
    step = found.text_of(f"{of}-step") if found else None
    if found is None or step is None or step not in STEPS or len(step) != 1:
        return None
    alter = int(number_in(found.text_of(f"{of}-alter") or "0", "alter"))
    return NoteName(step, min(max(alter, -2), 2))
