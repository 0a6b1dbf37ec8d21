"""The chords of each style in major, their counterparts in minor, and what is held in reserve.

In the church modes, and in other scales of seven tones that are neither major nor minor, each style takes the chords
that the scale makes: pop its consonant triads, jazz its sevenths and ninths, classical its triads and, for the cadence,
the dominant with a raised leading tone.

A style's own chords come first. The reserve is only used where a melody note on a strong beat is in none of them: it
has chords of the parallel modes, and dominants and leading-tone triads of the scale's own consonant triads.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from consort_compose.composer.harmony.chords import MAJOR_SCALE, Chord, chord_on
from consort_music.keys import MODES, Key

Style = Literal["classical", "jazz", "pop", "modal"]

_Degree = tuple[int, str] | tuple[int, str, int]
"""A degree, a suffix, and an alteration against the major scale where it is not the mode's own degree."""

_TRIADS: dict[bool, tuple[_Degree, ...]] = {
    False: ((1, ""), (2, "m"), (3, "m"), (4, ""), (5, ""), (6, "m"), (7, "dim")),
    True: ((1, "m"), (2, "dim"), (3, ""), (4, "m"), (5, ""), (6, ""), (7, ""), (7, "dim", 0)),
}
_POP_TRIADS: dict[bool, tuple[_Degree, ...]] = {
    False: ((1, ""), (2, "m"), (4, ""), (5, ""), (6, "m")),
    True: ((1, "m"), (3, ""), (4, "m"), (5, "m"), (5, ""), (6, ""), (7, "")),
}
_CLASSICAL_SEVENTHS: dict[bool, tuple[_Degree, ...]] = {
    False: ((2, "m7"), (4, "maj7"), (6, "m7"), (7, "m7b5")),
    True: ((2, "m7b5"), (4, "m7"), (6, "maj7"), (7, "dim7", 0)),
}
_POP_EXTENDED: dict[bool, tuple[_Degree, ...]] = {
    False: ((1, "maj7"), (1, "add9"), (2, "m7"), (4, "maj7"), (4, "add9"), (5, "7"), (5, "7sus4"), (6, "m7")),
    True: ((1, "m7"), (3, "maj7"), (4, "m7"), (5, "m7"), (5, "7"), (6, "maj7"), (7, "7")),
}
_JAZZ: dict[bool, tuple[_Degree, ...]] = {
    False: (
        (1, "maj7"), (1, "6"), (1, "maj9"), (2, "m7"), (2, "m9"), (2, "m11"), (3, "m7"), (4, "maj7"), (4, "maj9"),
        (4, "maj7#11"), (5, "7"), (5, "9"), (5, "13"), (5, "7sus4"), (6, "m7"), (6, "m9"), (6, "m11"), (7, "m7b5"),
    ),
    True: (
        (1, "m7"), (1, "m6"), (1, "m9"), (1, "m11"), (2, "m7b5"), (3, "maj7"), (3, "maj9"), (4, "m7"), (4, "m9"),
        (5, "7"), (5, "7b9"), (5, "7sus4"), (6, "maj7"), (6, "maj9"), (6, "maj7#11"), (7, "7"), (7, "9"), (7, "13"),
    ),
}  # fmt: skip
_BLUES: tuple[_Degree, ...] = (
    (1, "7", 0), (1, "9", 0), (1, "13", 0), (1, "7#9", 0), (4, "7", 0), (4, "9", 0), (4, "13", 0), (4, "7#9", 0),
    (5, "7", 0), (5, "9", 0), (5, "7#9", 0), (5, "7sus4", 0),
)  # fmt: skip
"""Each chord of the blues is a dominant seventh that resolves nowhere; the sharp ninth is the blue third over it."""
_BORROWED: dict[bool, tuple[_Degree, ...]] = {
    False: (
        (4, "m", 0), (6, "", -1), (7, "", -1), (3, "", -1), (2, "", -1), (1, "m", 0), (5, "m", 0), (4, "", 0),
        (5, "", 0), (7, "dim", 0),
    ),
    True: (
        (1, "", 0), (4, "", 0), (2, "m", 0), (5, "m", 0), (2, "", -1), (6, "dim", 0), (1, "m", 0), (4, "m", 0),
        (5, "", 0), (6, "", -1), (7, "dim", 0),
    ),
}  # fmt: skip
"""What modes with a major and with a minor third take from parallel ones."""
_DOMINANTS: dict[bool, tuple[tuple[int, int], ...]] = {
    False: ((1, 0), (2, 0), (3, 0), (6, 0), (7, 0)),
    True: ((1, 0), (2, 0), (3, -1), (4, 0), (6, -1)),
}
"""Where dominants of other degrees stand: jazz approaches chords by them, from a fifth or a semitone above."""
_LIKE_MAJOR_OR_MINOR = ("major", "minor", "harmonic minor", "melodic minor")
_ENDS_WITHOUT_DOMINANT = ("phrygian", "locrian", "phrygian dominant")
"""Modes whose second degree is a semitone above the tonic: a dominant with a fifth would leave them altogether."""
_LEADING_TONE = 11
_CONSONANT = ("", "m")
_MODAL_COLOURS = ("sus4", "sus2", "m7", "maj7", "7sus4", "add9", "m9", "maj9")
_SEVENTHS = ("maj7", "m7", "7", "m7b5")


@dataclass(frozen=True)
class Vocabulary:
    minor: bool
    chords: tuple[Chord, ...]
    reserve: tuple[Chord, ...]


def vocabulary(style: Style, mode: str, allow_extended: bool | None) -> Vocabulary:
    """The chords of a style in a mode of `consort_music.keys`. Left open, extended chords are for
    jazz, and of the classical ones only the dominant seventh. With `False` every chord is a triad."""
    minor = is_minor(mode)
    sevenths = bool(allow_extended or (style == "jazz" and allow_extended is None))
    is_church_mode = mode not in _LIKE_MAJOR_OR_MINOR and _seven_tones(mode, minor) is MODES[mode]
    if style == "modal":
        chords = _modal(mode, sevenths)
    elif is_church_mode:
        chords = _in_mode(style, mode, sevenths, allow_extended)
    elif style == "jazz" and sevenths:
        chords = _of(_BLUES, minor) if mode == "blues" else _jazz(minor)
    elif style == "jazz":
        chords = _of(_TRIADS[minor], minor)
    elif style == "pop":
        chords = _of(_POP_TRIADS[minor] + (_POP_EXTENDED[minor] if sevenths else ()), minor)
    else:
        chords = _of(_TRIADS[minor], minor)
        if allow_extended is not False:
            chords += (_dominant_seventh(minor),)
        if sevenths:
            chords += _of(_CLASSICAL_SEVENTHS[minor], minor)
    known = {(chord.root, chord.suffix) for chord in chords}
    reserve = []
    applied = _applied(minor) if sevenths and not is_church_mode else ()
    for chord in (*_leading(mode), *_of(_BORROWED[minor], minor, "borrowed"), *applied):
        if (chord.root, chord.suffix) not in known:
            known.add((chord.root, chord.suffix))
            reserve.append(chord)
    return Vocabulary(minor, chords, tuple(reserve))


def is_minor(mode: str) -> bool:
    return Key("C", 0, mode).is_minor


def _of(degrees: tuple[_Degree, ...], minor: bool, substitute: str | None = None) -> tuple[Chord, ...]:
    return tuple(
        chord_on(number, suffix, minor=minor, alteration=alteration[0] if alteration else None, substitute=substitute)
        for number, suffix, *alteration in degrees
    )


def _dominant_seventh(minor: bool) -> Chord:
    return chord_on(5, "7", minor=minor, resolves_to=frozenset((0, 8 if minor else 9)))


def _jazz(minor: bool) -> tuple[Chord, ...]:
    home = frozenset((0,))
    own = []
    for chord in _of(_JAZZ[minor], minor):
        if chord.number == 5 and "sus" not in chord.suffix:
            resolves_to = frozenset((0, 3, 8) if minor else (0, 4, 9))
            chord = chord_on(5, chord.suffix, minor=minor, resolves_to=resolves_to)
        own.append(chord)
    substitutes = (
        chord_on(2, "7", minor=minor, alteration=-1, function="D", resolves_to=home, substitute="tritone"),
        chord_on(2, "9", minor=minor, alteration=-1, function="D", resolves_to=home, substitute="tritone"),
        chord_on(7, "dim7", minor=minor, alteration=0, function="D", resolves_to=home, substitute="diminished"),
    )
    return (*own, *substitutes, *_applied(minor))


def _applied(minor: bool) -> tuple[Chord, ...]:
    """Dominants of other degrees, which fall a fifth or slip a semitone down."""
    found = []
    for number, alteration in _DOMINANTS[minor]:
        root = chord_on(number, "7", minor=minor, alteration=alteration).root
        resolves_to = frozenset(((root + 5) % 12, (root + 11) % 12))
        found.append(
            chord_on(
                number,
                "7",
                minor=minor,
                alteration=alteration,
                function="D",
                resolves_to=resolves_to,
                substitute="secondary",
            )
        )
    return tuple(found)


def _leading(mode: str) -> Iterator[Chord]:
    """The dominant and the leading-tone triad of each consonant triad that the scale makes."""
    minor = is_minor(mode)
    for goal in _of_scale("major" if mode == "whole tone" else mode, _CONSONANT):
        for letters, semitones, suffix in ((4, 7, ""), (6, 11, "dim")):
            number = (goal.number - 1 + letters) % 7 + 1
            alteration = (goal.root + semitones - MAJOR_SCALE[number - 1] + 6) % 12 - 6
            home = frozenset((goal.root,))
            yield chord_on(number, suffix, minor=minor, alteration=alteration, resolves_to=home, substitute="borrowed")


def _in_mode(style: Style, mode: str, sevenths: bool, allow_extended: bool | None) -> tuple[Chord, ...]:
    """The chords of a style that is not modal itself in a mode that is neither major nor minor."""
    minor = is_minor(mode)
    if style == "pop":
        return _of_scale(mode, (*_CONSONANT, *(("m7", "maj7", "add9") if sevenths else ())))
    if style == "jazz" and sevenths:
        return _of_scale(mode, (*_SEVENTHS, "m9", "maj9", "9", "7sus4"))
    chords = _of_scale(mode, (*_CONSONANT, "dim", *(_SEVENTHS if sevenths else ())))
    if mode in _ENDS_WITHOUT_DOMINANT:
        return chords
    raised = _of(((5, "", 0), (7, "dim", 0)), minor)
    if allow_extended is not False:
        raised += (_dominant_seventh(minor),)
    inside = {semitones for _, semitones in MODES[mode]} | {_LEADING_TONE}
    known = {(chord.root, chord.suffix) for chord in chords}
    new = [chord for chord in raised if chord.tones <= inside and (chord.root, chord.suffix) not in known]
    return (*chords, *new)


def _modal(mode: str, extended: bool) -> tuple[Chord, ...]:
    """The chords that the mode's own scale makes, without those that have its tritone."""
    if mode == "whole tone":
        return _of_scale(mode, ("aug",))
    chords = _of_scale(mode, (*_CONSONANT, *(_MODAL_COLOURS if extended else ())))
    return tuple(chord for chord in chords if not any((tone + 6) % 12 in chord.tones for tone in chord.tones))


def _of_scale(mode: str, suffixes: tuple[str, ...]) -> tuple[Chord, ...]:
    """The chords of some kinds that a scale makes of its own tones, as it spells them: A harmonic minor has no F minor,
    though G sharp sounds like its third."""
    minor = is_minor(mode)
    scale = MODES[mode] if mode == "whole tone" else _seven_tones(mode, minor)
    inside = {semitones for _, semitones in scale}
    by_letter = dict(scale)
    found = []
    for letters, semitones in scale:
        thirds = {by_letter.get((letters + above) % 7) for above in (2, 4)}
        for suffix in suffixes:
            chord = chord_on(letters + 1, suffix, minor=minor, alteration=semitones - MAJOR_SCALE[letters])
            is_spelled = thirds <= chord.tones or "sus" in suffix or suffix == "aug"
            if chord.tones <= inside and is_spelled:
                found.append(chord)
    return tuple(found)


def _seven_tones(mode: str, minor: bool) -> tuple[tuple[int, int], ...]:
    """A scale of seven tones: where the mode has fewer or more, the major or minor scale that it is a part of."""
    tones = MODES[mode]
    if [letters for letters, _ in tones] == list(range(7)):
        return tones
    return MODES["minor" if minor else "major"]
