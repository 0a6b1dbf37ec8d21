"""Voice one chord symbol for one instrument.

The requested style is used if the instrument can play it. A guitar often cannot; then the nearest shape that it can
play is used, with a warning. Without a style, each instrument has a default: close position on the piano, the best
shape on the guitar, and the cheapest voicing for four voices or strings. If the notes of the previous chord are given,
the default is the voicing with the least motion from them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from consort_compose.composer.voice_ranges import VOICE_RANGES
from consort_compose.composer.voicings.engine import satb_faults, satb_voicings, string_quartet
from consort_compose.composer.voicings.engine.least_motion import motion, nearest_voicing
from consort_compose.composer.voicings.engine.quartal import VoicingShape, quartal_shape
from consort_compose.composer.voicings.engine.styles import (
    STYLES,
    VoicingStyle,
    four_tones,
    note_names,
    shape,
    style_of,
)
from consort_music.chords.symbol import ChordSymbol, NoteName, note_text, pitch_at
from consort_music.chords.tone_weights import characteristic_tones
from consort_music.errors import MusicError
from consort_music.frets.chord_shapes import ChordShape, chord_shapes, effort, note_shapes
from consort_music.frets.fretboards import fretboard
from consort_music.pitch import Pitch

VoicingInstrument = Literal["piano", "guitar", "satb", "strings"]

RANGES: dict[VoicingInstrument, tuple[int, int]] = {
    "piano": (21, 108),
    "guitar": (40, 88),
    "satb": (VOICE_RANGES["bass"].low.midi, VOICE_RANGES["soprano"].high.midi),
    "strings": (36, 88),
}
"""The lowest and the highest MIDI note of each instrument."""
GUITAR = fretboard("guitar")
MOST_NOTES: dict[VoicingInstrument, int] = {"piano": 10, "guitar": 6, "satb": 4, "strings": 4}
_CENTRES: dict[VoicingInstrument, float] = {"piano": 62.0, "guitar": 57.0, "satb": 60.0, "strings": 62.0}
"""The MIDI note around which voicings are placed if no range is requested."""
_MOST_ALTERNATIVES = 4
_MOST_EXTRA_COST = 8.0
"""After a previous chord, a voicing for four voices may cost at most this much more than the cheapest."""
_CLASH = 5.0
"""The cost of a semitone or minor ninth between two upper voices. It puts a sharp ninth above the third."""
_INVERSION_COSTS = {3: 2, 5: 6, 7: 4}
"""The semitones of motion that a third, fifth or seventh in the bass of four voices must save."""


@dataclass(frozen=True)
class VoicingRequest:
    """A chord to voice, and how to voice it.

    `bass` is a pitch class. None means the chord's own bass; if `previous` (the notes of the previous chord) is given
    and the chord has no slash, None allows inversions too.
    """

    chord: ChordSymbol
    instrument: VoicingInstrument = "piano"
    style: VoicingStyle | None = None
    bass: int | None = None
    low: int | None = None
    high: int | None = None
    previous: tuple[int, ...] | None = None

    @property
    def range(self) -> tuple[int, int]:
        """The lowest and highest MIDI note allowed."""
        lowest, highest = RANGES[self.instrument]
        return (
            lowest if self.low is None else max(lowest, self.low),
            highest if self.high is None else min(highest, self.high),
        )

    @property
    def basses(self) -> list[int]:
        """The pitch classes allowed in the bass, the preferred one first."""
        if self.bass is not None:
            return [self.bass]
        own = self.chord.bass_pitch_class or 0
        if self.previous is None or self.chord.bass is not None:
            return [own]
        return list(dict.fromkeys([own, *four_tones(self.chord, own)]))


@dataclass(frozen=True)
class Voicing:
    """A voiced chord."""

    notes: tuple[int, ...]
    """MIDI notes from the lowest up."""
    style: VoicingStyle | None
    """The actual style, which may differ from the requested one; None if it is none of the five."""
    fingering: ChordShape | None = None
    players: dict[str, tuple[int, ...]] | None = None


@dataclass(frozen=True)
class Realized:
    voicing: Voicing
    pitches: tuple[Pitch, ...]
    alternatives: list[tuple[Voicing, tuple[Pitch, ...]]]
    remarks: list[str]
    """Warnings about requests that could not be fulfilled."""


def with_bass(chord: ChordSymbol, bass: NoteName) -> ChordSymbol:
    """Return the chord over another bass, as if it were written after a slash."""
    name = f"{chord.name.split('/')[0] if chord.bass else chord.name}/{note_text(bass)}"
    return replace(chord, name=name, bass=bass, pitch_classes=chord.pitch_classes | {bass.pitch_class})


def inversion_bass(chord: ChordSymbol, inversion: int) -> int:
    """Return the pitch class in the bass of an inversion (0 is root position).

    Raise INVALID_INVERSION if the chord has too few tones.
    """
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


def realize_chord(request: VoicingRequest) -> Realized:
    """Return the best voicing and up to four alternatives.

    Raise INVALID_RANGE if no voicing fits the range, INVALID_CHORD_SYMBOL if the chord is N.C.
    """
    chord = request.chord
    if chord.is_no_chord:
        raise MusicError(
            "INVALID_CHORD_SYMBOL",
            "'chord_symbol' is N.C., which means no chord, so there is nothing to voice. Give a chord such as C.",
            ["C"],
            "chord_symbol",
        )
    low, high = request.range
    best = next(_voicings(request), None)
    if best is None and request.style is not None:
        best = next(_voicings(replace(request, style=None)), None)
    if best is None:
        raise MusicError(
            "INVALID_RANGE",
            f"No voicing of {chord.name} for {request.instrument} fits between {Pitch.from_midi(low).name} and "
            f"{Pitch.from_midi(high).name}. Give range_low and range_high at least two octaves apart, such as C3 and "
            "C6.",
            ["range_low: C3, range_high: C6"],
            "range_low",
        )
    remarks = []
    if request.style is not None and best.style != request.style:
        remarks.append(
            f"{chord.name} has no {request.style} voicing for {request.instrument} here; another style was used."
        )
    if dropped := dropped_tones(chord, best.notes):
        remarks.append(f"This voicing of {chord.name} has no room for {', '.join(dropped)}.")
    alternatives: list[Voicing] = []
    for other in _alternatives(request):
        if other.notes != best.notes and all(other.notes != known.notes for known in alternatives):
            alternatives.append(other)
            if len(alternatives) == _MOST_ALTERNATIVES:
                break
    return Realized(
        best, spell_voicing(chord, best), [(other, spell_voicing(chord, other)) for other in alternatives], remarks
    )


def spell_voicing(chord: ChordSymbol, voicing: Voicing) -> tuple[Pitch, ...]:
    """Return the pitches of a voicing's notes, spelled as in the chord."""
    names = note_names(chord, voicing.style)
    return tuple(pitch_at(names.get(note % 12) or chord.note_name(note), note) for note in voicing.notes)


def _alternatives(request: VoicingRequest) -> Iterator[Voicing]:
    """Yield alternatives: a voicing in each other style; for a guitar, the best shape in each position."""
    if request.instrument == "guitar":
        positions: set[int] = set()
        for fingering in _shapes(replace(request, style=None, previous=None)):
            if fingering.position not in positions:
                positions.add(fingering.position)
                yield Voicing(fingering.notes, style_of(request.chord, fingering.notes), fingering)
        return
    for style in STYLES:
        if style != request.style:
            other = next(_voicings(replace(request, style=style)), None)
            if other is not None and other.style == style:
                yield other


def _voicings(request: VoicingRequest) -> Iterator[Voicing]:
    """Yield the voicings for the instrument, best first."""
    match request.instrument:
        case "piano":
            return _for_piano(request)
        case "guitar":
            return _for_guitar(request)
        case "satb":
            return _for_choir(request)
        case "strings":
            return _for_strings(request)


def _for_piano(request: VoicingRequest) -> Iterator[Voicing]:
    low, high = request.range
    if request.style is None and request.previous:
        led = nearest_voicing(request.chord, request.previous, low, high, _only_bass(request), MOST_NOTES["piano"])
        if led:
            yield Voicing(led, style_of(request.chord, led))
            return
    style = request.style or "close"
    for notes in placements(request, style):
        yield Voicing(notes, style)


def _only_bass(request: VoicingRequest) -> int | None:
    """Return the bass if exactly one is allowed, otherwise None."""
    basses = request.basses
    return basses[0] if len(basses) == 1 else None


def placements(request: VoicingRequest, style: VoicingStyle, reduced: bool = False) -> list[tuple[int, ...]]:
    """Return the shape of a style in every octave of the range.

    The nearest to the previous notes come first; without previous notes, the nearest to the middle of the range.
    `reduced` limits the shape to four notes.
    """
    low, high = request.range
    centre = _CENTRES[request.instrument] if request.low is None and request.high is None else (low + high) / 2
    found: list[tuple[float, tuple[int, ...]]] = []
    for bass in request.basses:
        notes = _reduced_shape(request.chord, style, bass) if reduced else shape(request.chord, style, bass)
        if notes is None:
            continue
        for octave in range(0, 120, 12):
            placed = tuple(note + octave for note in notes)
            if placed[0] < low or placed[-1] > high:
                continue
            away = abs(sum(placed) / len(placed) - centre)
            found.append((motion(request.previous, placed) + away / 100 if request.previous else away, placed))
    return [placed for _, placed in sorted(found)]


def _reduced_shape(chord: ChordSymbol, style: VoicingStyle, bass: int) -> VoicingShape | None:
    """Return the shape of a style with at most four notes, or None if the style has no shape for this chord."""
    if style in ("close", "open") and len(chord.pitch_classes) > 4:
        ring = sorted((tone - bass) % 12 for tone in four_tones(chord, bass))
        if style == "close":
            return tuple(bass + above for above in ring)
        return tuple(sorted(bass + above + 12 * (place % 2) for place, above in enumerate(ring)))
    if style == "quartal":
        return quartal_shape(chord, bass, 4)
    notes = shape(chord, style, bass)
    return notes[:4] if notes else None


def _for_choir(request: VoicingRequest) -> Iterator[Voicing]:
    if request.style in ("close", "open", None):
        yield from _four_voice_candidates(request)
        return
    for notes in placements(request, request.style, reduced=True):
        if len(notes) == 4 and all(
            lowest <= note <= highest
            for note, (lowest, highest) in zip(notes, reversed(satb_voicings.RANGES), strict=True)
        ):
            yield Voicing(notes, request.style)


def _four_voice_candidates(request: VoicingRequest) -> Iterator[Voicing]:
    """Yield voicings for four voices, best first.

    Their style is close if the upper three voices are within an octave, otherwise open. After a previous chord, the
    voicings with the fewest part-writing faults come first, and among these the ones with the least motion.
    """
    low, high = request.range
    candidates = []
    for bass in request.basses:
        for notes, cost in satb_voicings.all_voicings(over_bass(request.chord, bass)):
            style: VoicingStyle = "close" if notes[0] - notes[2] <= 12 else "open"
            if low <= notes[3] and notes[0] <= high and request.style in (style, None):
                candidates.append((cost + _CLASH * _clashes(notes), notes, style))
    before = request.previous
    if before and candidates:
        enough = min(candidates)[0] + _MOST_EXTRA_COST
        candidates = [candidate for candidate in candidates if candidate[0] <= enough]
        old = tuple(sorted(before, reverse=True))
        ranked = []
        for cost, notes, style in candidates:
            wrong = (
                sum(1 for _ in satb_faults.step_faults(0, (old[0], old[1], old[2], old[3]), notes))
                if len(old) == 4
                else 0
            )
            moved = motion(before, notes) + (_inversion_cost(request.chord, notes[3]) if len(request.basses) > 1 else 0)
            ranked.append((wrong, moved, cost, notes, style))
        candidates = [(cost, notes, style) for _, _, cost, notes, style in sorted(ranked)]
    else:
        candidates.sort()
    for _, notes, style in candidates:
        yield Voicing(notes[::-1], style)


def _clashes(notes: satb_voicings.SatbNotes) -> int:
    """Count the semitones and minor ninths between the upper voices."""
    soprano, alto, tenor, _ = notes
    return sum(gap in (1, 13) for gap in (soprano - alto, soprano - tenor, alto - tenor))


def _inversion_cost(chord: ChordSymbol, bass: int) -> int:
    """Return the cost of a bass that is not the root, in semitones of motion; 0 for the root."""
    for (number, _), tone in zip(chord.degrees, chord.tones, strict=True):
        if tone.pitch_class == bass % 12:
            return _INVERSION_COSTS.get(number, 0 if number == 1 else max(_INVERSION_COSTS.values()))
    return 0


def over_bass(chord: ChordSymbol, bass: int) -> ChordSymbol:
    """Return the chord over another bass; unchanged if the pitch class `bass` is already its bass."""
    return chord if chord.bass_pitch_class == bass else with_bass(chord, chord.note_name(bass))


def _for_strings(request: VoicingRequest) -> Iterator[Voicing]:
    if request.style in ("close", "open", None):
        for voicing in _for_choir(request):
            yield replace(voicing, players=string_quartet.share_out(voicing.notes))
    for style in (request.style,) if request.style else STYLES[:4]:
        for notes in placements(request, style, reduced=True):
            players = string_quartet.share_out(notes)
            if players:
                yield Voicing(notes, style, players=players)


def _for_guitar(request: VoicingRequest) -> Iterator[Voicing]:
    if request.style is not None:
        yield from _playable_in_style(request, request.style)
    for fingering in _shapes(request):
        yield Voicing(fingering.notes, style_of(request.chord, fingering.notes), fingering)


def _shapes(request: VoicingRequest) -> Iterator[ChordShape]:
    """Yield guitar shapes of the chord.

    The nearest to the previous notes come first; without previous notes, the nearest to the requested style; without
    a style, the best.
    """
    target = request.previous
    if target is None and request.style is not None:
        target = next(iter(placements(request, request.style, reduced=True)), None)
    found: list[tuple[int, int, ChordShape]] = []
    for bass in request.basses:
        needed = set(four_tones(request.chord, bass))
        for rank, fingering in enumerate(chord_shapes(over_bass(request.chord, bass), GUITAR, bass, *request.range)):
            away = 0
            if target:
                notes = fingering.notes
                away = 100 * len(needed - {note % 12 for note in notes}) + motion(target, notes)
            found.append((away, rank, fingering))
    for _, _, fingering in sorted(found, key=lambda item: item[:2]):
        yield fingering


def _playable_in_style(request: VoicingRequest, style: VoicingStyle) -> Iterator[Voicing]:
    """Yield the voicings of a style that a hand can play exactly.

    The nearest to the previous notes come first; without previous notes, the easiest.
    """
    found = []
    for rank, notes in enumerate(placements(request, style, reduced=len(request.chord.tones) > 4)):
        for fingering in note_shapes(notes, GUITAR)[:1]:
            found.append((float(rank) if request.previous else 2.0 * rank + effort(fingering), notes, fingering))
    for _, notes, fingering in sorted(found):
        yield Voicing(notes, style, fingering)


def left_out(chord: ChordSymbol, notes: Sequence[int]) -> list[str]:
    """Return the chord tones that a voicing lacks, as intervals above the root."""
    present = {note % 12 for note in notes}
    return [tone.interval for tone in chord.tones if tone.pitch_class not in present]


def dropped_tones(chord: ChordSymbol, notes: Sequence[int]) -> list[str]:
    """Return the names of the characteristic tones that a voicing lacks."""
    missing = characteristic_tones(chord) - {note % 12 for note in notes}
    return [note_text(tone.name) for tone in chord.tones if tone.pitch_class in missing]
