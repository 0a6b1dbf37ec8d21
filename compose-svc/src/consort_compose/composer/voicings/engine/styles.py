"""The five voicing styles as shapes.

A shape is a tuple of notes in semitones. Its lowest note is the bass as a pitch class (0 to 11); the caller moves the
shape to any octave.

    close     chords of up to four tones within an octave; in larger chords the tensions (9, 11, 13) are on top
    open      the close shape, with every second tone an octave higher
    drop2     four tones in close position, with the second from the top an octave lower
    drop3     four tones in close position, with the third from the top an octave lower
    quartal   fourths of the chord's scale: see `quartal.py`

The bass is always the requested one: a drop voicing starts from the close position whose dropped tone is that bass. For
a drop voicing, a chord of three tones doubles one of them, and a larger chord is reduced to its four essential tones.
"""

from typing import Literal, get_args

from consort_compose.composer.voicings.engine.quartal import VoicingShape, chord_scale, quartal_shape
from consort_music.chords.symbol import ChordSymbol, NoteName, spell
from consort_music.chords.tone_weights import essential_tones, tone_weights

VoicingStyle = Literal["close", "open", "drop2", "drop3", "quartal"]
STYLES: tuple[VoicingStyle, ...] = get_args(VoicingStyle)

_DROPPED = {"drop2": 2, "drop3": 1}
"""Index of the note, counted from the bottom, that is lowered by an octave."""


def shape(chord: ChordSymbol, style: VoicingStyle, bass: int) -> VoicingShape | None:
    """Return the shape of a style over a bass, lowest note first, or None for a drop voicing of only two tones."""
    match style:
        case "close":
            return close_shape(chord, bass)
        case "open":
            return open_shape(chord, bass)
        case "quartal":
            return quartal_shape(chord, bass)
        case _:
            return drop_shape(chord, bass, _DROPPED[style])


def close_shape(chord: ChordSymbol, bass: int) -> VoicingShape:
    tones = {
        tone.pitch_class: number
        for (number, _), tone in zip(reversed(chord.degrees), reversed(chord.tones), strict=True)
    }
    tones.pop(bass, None)
    highest = 13 if len(tones) <= 3 else 7
    body = sorted((pitch_class - bass) % 12 for pitch_class, number in tones.items() if number <= highest)
    top = body[-1] if body else 0
    tensions = []
    for pitch_class, number in tones.items():
        if number > highest:
            above = (pitch_class - bass) % 12
            tensions.append(above if above > top else above + 12)
    return tuple(bass + above for above in (0, *body, *sorted(tensions)))


def open_shape(chord: ChordSymbol, bass: int) -> VoicingShape:
    close = close_shape(chord, bass)
    if len(close) == 2:
        return (*close, close[0] + 12)
    return tuple(sorted({note + 12 * (place % 2) for place, note in enumerate(close)}))


def drop_shape(chord: ChordSymbol, bass: int, dropped: int) -> VoicingShape | None:
    core = four_tones(chord, bass)
    if len(core) < 3:
        return None
    ring = sorted((pitch_class - bass) % 12 for pitch_class in core)
    ladder = [12 * octave + step for octave in range(3) for step in ring]
    # The dropped tone becomes the bass, so the bass has index `dropped` in the close position.
    start = ladder.index(12) - dropped
    close = ladder[start : start + 4]
    notes = sorted([*close[:dropped], close[dropped] - 12, *close[dropped + 1 :]])
    return tuple(bass + note for note in notes)


def four_tones(chord: ChordSymbol, bass: int) -> tuple[int, ...]:
    """Return at most four pitch classes that identify the chord. They include the bass."""
    best = essential_tones(chord, 4)
    if bass in best:
        return best
    kept = essential_tones(chord, 3) if len(best) == 4 else best
    if bass in {tone.pitch_class for tone in chord.tones}:
        costs = tone_weights(chord).missing
        kept = tuple(sorted(best, key=lambda tone: -costs[tone])[:3])
    return (bass, *kept)


def note_names(chord: ChordSymbol, style: VoicingStyle | None) -> dict[int, NoteName]:
    """Return the spelling of the chord's pitch classes; for a quartal voicing, of the chord's scale too."""
    names: dict[int, NoteName] = {}
    if style == "quartal" and chord.root is not None:
        for degree in chord_scale(chord):
            tone = spell(chord.root, degree)
            names[tone.pitch_class] = tone.name
    for pitch_class in chord.pitch_classes:
        names[pitch_class] = chord.note_name(pitch_class)
    return names


def style_of(chord: ChordSymbol, notes: tuple[int, ...]) -> VoicingStyle | None:
    """Return the style of a voicing, or None if it is none of the five."""
    bass = notes[0] % 12
    lowered = tuple(note - notes[0] + bass for note in notes)
    for style in STYLES:
        if shape(chord, style, bass) == lowered:
            return style
    if lowered[-1] - lowered[0] < 12:
        return "close"
    return "open" if len(notes) < 4 or lowered[-1] - lowered[1] >= 12 else None
