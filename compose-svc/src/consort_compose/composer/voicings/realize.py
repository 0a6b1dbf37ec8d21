"""One chord symbol made into notes that the instrument can play.

The style is a wish that is met wherever the instrument allows it; a guitar's hand often does not, and then the nearest
shape that it does allow is taken and said. Without a wish, each instrument gets what is natural to it: a piano close
position, a guitar its best shape, four voices or players a good setting; after another chord, the least motion from it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from consort_compose.composer.voice_ranges import VOICE_RANGES
from consort_compose.composer.voicings import guitar, satb, strings
from consort_compose.composer.voicings.leading import lead, motion
from consort_compose.composer.voicings.quartal import Shape, quartal_shape
from consort_compose.composer.voicings.styles import STYLES, Style, four_tones, note_names, shape, style_of
from consort_compose.composer.voicings.tones import characteristic
from consort_music.chords import ChordSymbol, NoteName, note_text, pitch_at
from consort_music.errors import MusicError
from consort_music.pitch import Pitch

Instrument = Literal["piano", "guitar", "satb", "strings"]

RANGES: dict[Instrument, tuple[int, int]] = {
    "piano": (21, 108),
    "guitar": (40, 88),
    "satb": (VOICE_RANGES["bass"].low.midi, VOICE_RANGES["soprano"].high.midi),
    "strings": (36, 88),
}
MOST_NOTES: dict[Instrument, int] = {"piano": 10, "guitar": 6, "satb": 4, "strings": 4}
_CENTRES: dict[Instrument, float] = {"piano": 62.0, "guitar": 57.0, "satb": 60.0, "strings": 62.0}
_ALTERNATIVES = 4
_DOUBLED_BADLY = 8.0
"""For less motion, a setting for four voices may be worse than the best by this."""
_CLASH = 5.0
"""What a semitone or a minor ninth between two of the upper voices costs: a sharp ninth goes above the third."""
_BASSES = {3: 2, 5: 6, 7: 4}
"""Semitones of motion that a bass of four voices on the third, fifth or seventh must save."""


@dataclass(frozen=True)
class Wish:
    """What is wanted of a chord. `bass` is a pitch class; None leaves it to the chord, or free to follow `previous`."""

    chord: ChordSymbol
    instrument: Instrument = "piano"
    style: Style | None = None
    bass: int | None = None
    low: int | None = None
    high: int | None = None
    previous: tuple[int, ...] | None = None

    @property
    def range(self) -> tuple[int, int]:
        lowest, highest = RANGES[self.instrument]
        return (
            lowest if self.low is None else max(lowest, self.low),
            highest if self.high is None else min(highest, self.high),
        )

    @property
    def basses(self) -> list[int]:
        """The basses that will do, the wanted one first."""
        if self.bass is not None:
            return [self.bass]
        own = self.chord.bass_pitch_class or 0
        if self.previous is None or self.chord.bass is not None:
            return [own]
        return list(dict.fromkeys([own, *four_tones(self.chord, own)]))


@dataclass(frozen=True)
class Voicing:
    """Notes from the lowest up. `style` is the one they are in, whatever was asked for."""

    notes: tuple[int, ...]
    style: Style | None
    fingering: guitar.Fingering | None = None
    players: dict[str, tuple[int, ...]] | None = None


@dataclass(frozen=True)
class Realized:
    voicing: Voicing
    pitches: tuple[Pitch, ...]
    alternatives: list[tuple[Voicing, tuple[Pitch, ...]]]
    remarks: list[str]
    """What was not done quite as asked."""


def with_bass(chord: ChordSymbol, bass: NoteName) -> ChordSymbol:
    """The chord over another bass, as if it had been written after a slash."""
    name = f"{chord.name.split('/')[0] if chord.bass else chord.name}/{note_text(bass)}"
    return replace(chord, name=name, bass=bass, pitch_classes=chord.pitch_classes | {bass.pitch_class})


def inversion_bass(chord: ChordSymbol, inversion: int) -> int:
    """The pitch class that an inversion has in the bass; raises INVALID_INVERSION."""
    if not 0 <= inversion < len(chord.tones):
        last = len(chord.tones) - 1
        raise MusicError(
            "INVALID_INVERSION",
            f"{chord.name} has {len(chord.tones)} tones, so 'inversion' must be from 0 (root in the bass) to "
            f"{last}, not {inversion}.",
            [str(last)],
            "inversion",
        )
    return chord.tones[inversion].pitch_class


def realize(wish: Wish) -> Realized:
    """The best voicing, and others of the same chord; raises INVALID_RANGE where none fits."""
    chord = wish.chord
    if chord.is_no_chord:
        raise MusicError(
            "INVALID_CHORD_SYMBOL",
            "N.C. means no chord, so there is nothing to voice. Give a chord such as C.",
            ["C"],
            "chord_symbol",
        )
    low, high = wish.range
    best = next(_voicings(wish), None)
    if best is None and wish.style is not None:
        best = next(_voicings(replace(wish, style=None)), None)
    if best is None:
        raise MusicError(
            "INVALID_RANGE",
            f"No voicing of {chord.name} for {wish.instrument} fits between {Pitch.from_midi(low).name} and "
            f"{Pitch.from_midi(high).name}. Give range_low and range_high at least two octaves apart, such as C3 and "
            "C6.",
            [Pitch.from_midi(note).name for note in RANGES[wish.instrument]],
            "range_low",
        )
    remarks = []
    if wish.style is not None and best.style != wish.style:
        remarks.append(f"{chord.name} has no {wish.style} voicing for {wish.instrument} here; another style was used.")
    if dropped := dropped_tones(chord, best.notes):
        remarks.append(f"This voicing of {chord.name} has no room for {', '.join(dropped)}.")
    alternatives: list[Voicing] = []
    for other in _others(wish):
        if other.notes != best.notes and all(other.notes != known.notes for known in alternatives):
            alternatives.append(other)
            if len(alternatives) == _ALTERNATIVES:
                break
    return Realized(best, spell(chord, best), [(other, spell(chord, other)) for other in alternatives], remarks)


def spell(chord: ChordSymbol, voicing: Voicing) -> tuple[Pitch, ...]:
    names = note_names(chord, voicing.style)
    return tuple(pitch_at(names.get(note % 12) or chord.note_name(note), note) for note in voicing.notes)


def _others(wish: Wish) -> Iterator[Voicing]:
    """A voicing of each of the other styles; for a guitar its other shapes."""
    if wish.instrument == "guitar":
        positions: set[int] = set()
        for fingering in _shapes(replace(wish, style=None, previous=None)):
            if fingering.position not in positions:
                positions.add(fingering.position)
                yield Voicing(fingering.notes, style_of(wish.chord, fingering.notes), fingering)
        return
    for style in STYLES:
        if style != wish.style:
            other = next(_voicings(replace(wish, style=style)), None)
            if other is not None and other.style == style:
                yield other


def _voicings(wish: Wish) -> Iterator[Voicing]:
    """The voicings for an instrument, best first."""
    match wish.instrument:
        case "piano":
            return _for_piano(wish)
        case "guitar":
            return _for_guitar(wish)
        case "satb":
            return _for_choir(wish)
        case "strings":
            return _for_strings(wish)


def _for_piano(wish: Wish) -> Iterator[Voicing]:
    low, high = wish.range
    if wish.style is None and wish.previous:
        led = lead(wish.chord, wish.previous, low, high, _pinned(wish), MOST_NOTES["piano"])
        if led:
            yield Voicing(led, style_of(wish.chord, led))
            return
    style = wish.style or "close"
    for notes in placed(wish, style):
        yield Voicing(notes, style)


def _pinned(wish: Wish) -> int | None:
    basses = wish.basses
    return basses[0] if len(basses) == 1 else None


def placed(wish: Wish, style: Style, reduced: bool = False) -> list[tuple[int, ...]]:
    """A style's shape in every octave of the range: nearest to the previous notes first, else to the middle."""
    low, high = wish.range
    centre = _CENTRES[wish.instrument] if wish.low is None and wish.high is None else (low + high) / 2
    found: list[tuple[float, tuple[int, ...]]] = []
    for bass in wish.basses:
        notes = _reduced_shape(wish.chord, style, bass) if reduced else shape(wish.chord, style, bass)
        if notes is None:
            continue
        for octave in range(0, 120, 12):
            placed = tuple(note + octave for note in notes)
            if placed[0] < low or placed[-1] > high:
                continue
            away = abs(sum(placed) / len(placed) - centre)
            found.append((motion(wish.previous, placed) + away / 100 if wish.previous else away, placed))
    return [placed for _, placed in sorted(found)]


def _reduced_shape(chord: ChordSymbol, style: Style, bass: int) -> Shape | None:
    """A shape of at most four notes."""
    if style in ("close", "open") and len(chord.pitch_classes) > 4:
        ring = sorted((tone - bass) % 12 for tone in four_tones(chord, bass))
        if style == "close":
            return tuple(bass + above for above in ring)
        return tuple(sorted(bass + above + 12 * (place % 2) for place, above in enumerate(ring)))
    if style == "quartal":
        return quartal_shape(chord, bass, 4)
    notes = shape(chord, style, bass)
    return notes[:4] if notes else None


def _for_choir(wish: Wish) -> Iterator[Voicing]:
    if wish.style in ("close", "open", None):
        yield from _set_for_voices(wish)
        return
    for notes in placed(wish, wish.style, reduced=True):
        if len(notes) == 4 and all(
            lowest <= note <= highest for note, (lowest, highest) in zip(notes, reversed(satb.RANGES), strict=True)
        ):
            yield Voicing(notes, wish.style)


def _set_for_voices(wish: Wish) -> Iterator[Voicing]:
    """Settings for four voices. Close is where the upper three lie within an octave, open where they do not. After
    another chord the least motion comes first, of those that make no parallels with it."""
    low, high = wish.range
    settings = []
    for bass in wish.basses:
        for notes, cost in satb.voicings(over_bass(wish.chord, bass)):
            style: Style = "close" if notes[0] - notes[2] <= 12 else "open"
            if low <= notes[3] and notes[0] <= high and wish.style in (style, None):
                settings.append((cost + _CLASH * _clashes(notes), notes, style))
    before = wish.previous
    if before and settings:
        enough = min(settings)[0] + _DOUBLED_BADLY
        settings = [setting for setting in settings if setting[0] <= enough]
        old = tuple(sorted(before, reverse=True))
        ranked = []
        for cost, notes, style in settings:
            wrong = sum(1 for _ in satb.join_faults(0, (old[0], old[1], old[2], old[3]), notes)) if len(old) == 4 else 0
            moved = motion(before, notes) + (_unrest(wish.chord, notes[3]) if len(wish.basses) > 1 else 0)
            ranked.append((wrong, moved, cost, notes, style))
        settings = [(cost, notes, style) for _, _, cost, notes, style in sorted(ranked)]
    else:
        settings.sort()
    for _, notes, style in settings:
        yield Voicing(notes[::-1], style)


def _clashes(notes: satb.Voicing) -> int:
    soprano, alto, tenor, _ = notes
    return sum(gap in (1, 13) for gap in (soprano - alto, soprano - tenor, alto - tenor))


def _unrest(chord: ChordSymbol, bass: int) -> int:
    """What it costs, in semitones of motion, that the bass is not the root."""
    for (number, _), tone in zip(chord.degrees, chord.tones, strict=True):
        if tone.pitch_class == bass % 12:
            return _BASSES.get(number, 0 if number == 1 else max(_BASSES.values()))
    return 0


def over_bass(chord: ChordSymbol, bass: int) -> ChordSymbol:
    """The chord over one of its tones; as it is where that is its bass already."""
    return chord if chord.bass_pitch_class == bass else with_bass(chord, chord.note_name(bass))


def _for_strings(wish: Wish) -> Iterator[Voicing]:
    if wish.style in ("close", "open", None):
        for voicing in _for_choir(wish):
            yield replace(voicing, players=strings.share_out(voicing.notes))
    for style in (wish.style,) if wish.style else STYLES[:4]:
        for notes in placed(wish, style, reduced=True):
            players = strings.share_out(notes)
            if players:
                yield Voicing(notes, style, players=players)


def _for_guitar(wish: Wish) -> Iterator[Voicing]:
    if wish.style is not None:
        yield from _fingered(wish, wish.style)
    for fingering in _shapes(wish):
        yield Voicing(fingering.notes, style_of(wish.chord, fingering.notes), fingering)


def _shapes(wish: Wish) -> Iterator[guitar.Fingering]:
    """Shapes of the chord: nearest first to the previous notes, or to the style that was wished for, else the best."""
    target = wish.previous
    if target is None and wish.style is not None:
        target = next(iter(placed(wish, wish.style, reduced=True)), None)
    found: list[tuple[int, int, guitar.Fingering]] = []
    for bass in wish.basses:
        needed = set(four_tones(wish.chord, bass))
        for rank, fingering in enumerate(guitar.shapes(over_bass(wish.chord, bass), bass, *wish.range)):
            away = 0
            if target:
                notes = fingering.notes
                away = 100 * len(needed - {note % 12 for note in notes}) + motion(target, notes)
            found.append((away, rank, fingering))
    for _, _, fingering in sorted(found, key=lambda item: item[:2]):
        yield fingering


def _fingered(wish: Wish, style: Style) -> Iterator[Voicing]:
    """A style exactly, in the octaves where a hand can play it: the easiest first, or the nearest to the previous."""
    found = []
    for rank, notes in enumerate(placed(wish, style, reduced=len(wish.chord.tones) > 4)):
        for fingering in guitar.fingerings(notes)[:1]:
            found.append((float(rank) if wish.previous else 2.0 * rank + guitar.effort(fingering), notes, fingering))
    for _, notes, fingering in sorted(found):
        yield Voicing(notes, style, fingering)


def left_out(chord: ChordSymbol, notes: Sequence[int]) -> list[str]:
    """The tones of the chord that a voicing does not have, by their interval above the root."""
    present = {note % 12 for note in notes}
    return [tone.interval for tone in chord.tones if tone.pitch_class not in present]


def dropped_tones(chord: ChordSymbol, notes: Sequence[int]) -> list[str]:
    """Of those, the ones that its symbol is about, by name."""
    missing = characteristic(chord) - {note % 12 for note in notes}
    return [note_text(tone.name) for tone in chord.tones if tone.pitch_class in missing]
