"""The candidate chords of each style, by mode, and extra chords for melody notes that none of them contains.

By default (`allow_extended` None) the styles have these chords:

    classical   triads, the dominant seventh and, in major, the dominant seventh of the dominant
    pop         consonant triads
    jazz        sevenths, ninths and larger chords; in major and minor also substitutes and secondary dominants
    modal       consonant triads of the scale

`allow_extended` True adds sevenths and larger chords to the other styles; False limits every style to triads. The modal
style always has chords of the scale. The other styles have fixed chords in major, minor and blues, and chords of the
scale in the church modes and in other seven-tone scales. There, classical style and jazz without extensions also have
a dominant with a raised leading tone, for the cadence.

The extra chords (`reserve`) are used only where a melody note on a strong beat is in none of the style's chords. They
are chords of parallel modes, and the dominants and leading-tone triads of the scale's consonant triads. If sevenths
are allowed, they include the secondary dominant sevenths too, except in the church modes and similar scales.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from consort_compose.composer.harmony.degree_chords import MAJOR_SCALE, DegreeChord, alteration_of, chord_on
from consort_music.keys import MODES, Key

HarmonyStyle = Literal["classical", "jazz", "pop", "modal"]

_Degree = tuple[int, str] | tuple[int, str, int]
"""(degree, chord suffix), and optionally the alteration of the degree in semitones relative to the major scale.

Without an alteration, the degree of the major or minor scale itself is meant.
"""

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
"""In a blues all chords are dominant sevenths (or sus4) that do not need to resolve.

The sharp ninth is the minor third above the root.
"""
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
"""Chords borrowed from parallel modes, keyed by whether the scale is minor."""
_SECONDARY_DOMINANT_ROOTS: dict[bool, tuple[tuple[int, int], ...]] = {
    False: ((1, 0), (2, 0), (3, 0), (6, 0), (7, 0)),
    True: ((1, 0), (2, 0), (3, -1), (4, 0), (6, -1)),
}
"""Roots of the secondary dominants, as (degree, alteration), keyed by whether the scale is minor."""
_LIKE_MAJOR_OR_MINOR = ("major", "minor", "harmonic minor", "melodic minor")
_FLAT_SECOND_MODES = ("phrygian", "locrian", "phrygian dominant")
"""Modes with a flat second degree. The fifth of their dominant is diminished, so they get no raised dominant."""
_LEADING_TONE = 11
_CONSONANT = ("", "m")
_MODAL_COLOURS = ("sus4", "sus2", "m7", "maj7", "7sus4", "add9", "m9", "maj9")
_SEVENTHS = ("maj7", "m7", "7", "m7b5")


@dataclass(frozen=True)
class Vocabulary:
    """The chords of a style in a mode."""

    minor: bool
    chords: tuple[DegreeChord, ...]
    reserve: tuple[DegreeChord, ...]
    """Used only for strong melody notes that no chord in `chords` contains."""


def style_vocabulary(style: HarmonyStyle, mode: str, allow_extended: bool | None) -> Vocabulary:
    """Return the chords of a style in a mode of `consort_music.keys`.

    `allow_extended`: True allows sevenths and larger chords, False only triads. None is the default of the style:
    extended chords for jazz, the dominant seventh for classical, triads for the others.
    """
    minor = is_minor(mode)
    sevenths = bool(allow_extended or (style == "jazz" and allow_extended is None))
    is_other_seven_tone_mode = mode not in _LIKE_MAJOR_OR_MINOR and _seven_tones(mode, minor) is MODES[mode]
    if style == "modal":
        chords = _modal(mode, sevenths)
    elif is_other_seven_tone_mode:
        chords = _in_mode(style, mode, sevenths, allow_extended)
    elif style == "jazz" and sevenths:
        chords = _chords_on(_BLUES, minor) if mode == "blues" else _jazz(minor)
    elif style == "jazz":
        chords = _chords_on(_TRIADS[minor], minor)
    elif style == "pop":
        chords = _chords_on(_POP_TRIADS[minor] + (_POP_EXTENDED[minor] if sevenths else ()), minor)
    else:
        chords = _chords_on(_TRIADS[minor], minor)
        if allow_extended is not False:
            chords += (_dominant_seventh(minor),)
        if allow_extended is not False and not minor:
            chords += (chord_on(2, "7", minor=False, resolves_to=frozenset((7,)), substitute="secondary"),)
        if sevenths:
            chords += _chords_on(_CLASSICAL_SEVENTHS[minor], minor)
    known = {(chord.root, chord.suffix) for chord in chords}
    reserve = []
    secondary = _secondary_dominants(minor) if sevenths and not is_other_seven_tone_mode else ()
    for chord in (*_dominants_of_scale_triads(mode), *_chords_on(_BORROWED[minor], minor, "borrowed"), *secondary):
        if (chord.root, chord.suffix) not in known:
            known.add((chord.root, chord.suffix))
            reserve.append(chord)
    return Vocabulary(minor, chords, tuple(reserve))


def is_minor(mode: str) -> bool:
    return Key("C", 0, mode).is_minor


def _chords_on(degrees: tuple[_Degree, ...], minor: bool, substitute: str | None = None) -> tuple[DegreeChord, ...]:
    return tuple(
        chord_on(number, suffix, minor=minor, alteration=alteration[0] if alteration else None, substitute=substitute)
        for number, suffix, *alteration in degrees
    )


def _dominant_seventh(minor: bool) -> DegreeChord:
    return chord_on(5, "7", minor=minor, resolves_to=frozenset((0, 8 if minor else 9)))


def _jazz(minor: bool) -> tuple[DegreeChord, ...]:
    home = frozenset((0,))
    own = []
    for chord in _chords_on(_JAZZ[minor], minor):
        if chord.number == 5:
            chord = chord_on(5, chord.suffix, minor=minor, resolves_to=home)
        elif chord.number == 7 and minor:
            chord = chord_on(7, chord.suffix, minor=minor, resolves_to=home | {3})
        own.append(chord)
    substitutes = (
        chord_on(2, "7", minor=minor, alteration=-1, function="D", resolves_to=home, substitute="tritone"),
        chord_on(2, "9", minor=minor, alteration=-1, function="D", resolves_to=home, substitute="tritone"),
        chord_on(7, "dim7", minor=minor, alteration=0, function="D", resolves_to=home, substitute="diminished"),
    )
    return (*own, *substitutes, *_secondary_dominants(minor))


def _secondary_dominants(minor: bool) -> tuple[DegreeChord, ...]:
    """Return the secondary dominants, which resolve down a fifth or down a semitone."""
    found = []
    for number, alteration in _SECONDARY_DOMINANT_ROOTS[minor]:
        root = chord_on(number, "7", minor=minor, alteration=alteration).root
        resolves_to = frozenset(((root + 5) % 12, (root + 11) % 12))
        found.append(
            chord_on(
                number,
                "7",
                minor=minor,
                alteration=alteration,
                resolves_to=resolves_to,
                substitute="secondary",
            )
        )
    return tuple(found)


def _dominants_of_scale_triads(mode: str) -> Iterator[DegreeChord]:
    """Yield the dominant triad and the leading-tone triad of each consonant triad of the scale."""
    minor = is_minor(mode)
    for goal in _of_scale("major" if mode == "whole tone" else mode, _CONSONANT):
        for letters, semitones, suffix in ((4, 7, ""), (6, 11, "dim")):
            number = (goal.number - 1 + letters) % 7 + 1
            alteration = alteration_of(number, goal.root + semitones)
            home = frozenset((goal.root,))
            yield chord_on(number, suffix, minor=minor, alteration=alteration, resolves_to=home, substitute="borrowed")


def _in_mode(style: HarmonyStyle, mode: str, sevenths: bool, allow_extended: bool | None) -> tuple[DegreeChord, ...]:
    """Return the chords of the classical, jazz or pop style in a mode that is neither major nor minor."""
    minor = is_minor(mode)
    if style == "pop":
        return _of_scale(mode, (*_CONSONANT, *(("m7", "maj7", "add9") if sevenths else ())))
    if style == "jazz" and sevenths:
        return _of_scale(mode, (*_SEVENTHS, "m9", "maj9", "9", "7sus4"))
    chords = _of_scale(mode, (*_CONSONANT, "dim", *(_SEVENTHS if sevenths else ())))
    if mode in _FLAT_SECOND_MODES:
        return chords
    raised = _chords_on(((5, "", 0), (7, "dim", 0)), minor)
    if allow_extended is not False:
        raised += (_dominant_seventh(minor),)
    inside = {semitones for _, semitones in MODES[mode]} | {_LEADING_TONE}
    known = {(chord.root, chord.suffix) for chord in chords}
    new = [chord for chord in raised if chord.tones <= inside and (chord.root, chord.suffix) not in known]
    return (*chords, *new)


def _modal(mode: str, extended: bool) -> tuple[DegreeChord, ...]:
    """Return the chords of the modal style: the chords of the scale that contain no tritone.

    The whole-tone scale has only augmented triads.
    """
    if mode == "whole tone":
        return _of_scale(mode, ("aug",))
    chords = _of_scale(mode, (*_CONSONANT, *(_MODAL_COLOURS if extended else ())))
    return tuple(chord for chord in chords if not any((tone + 6) % 12 in chord.tones for tone in chord.tones))


def _of_scale(mode: str, suffixes: tuple[str, ...]) -> tuple[DegreeChord, ...]:
    """Return the chords with these suffixes whose tones are in the scale with the right spelling.

    For example, the A harmonic minor scale has no F minor chord: its G sharp is not an A flat.
    """
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
    """Return the seven tones of a mode as (letters, semitones) above the tonic.

    For scales that do not have each letter exactly once, return those of the major or minor scale.
    """
    tones = MODES[mode]
    if [letters for letters, _ in tones] == list(range(7)):
        return tones
    return MODES["minor" if minor else "major"]
