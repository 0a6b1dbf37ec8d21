"""The five styles as shapes: notes above a bass of 0 to 11, to be moved to the octave where they are wanted.

    close     up to four tones within an octave; of more, the tensions (9, 11, 13) are stacked on top of the others
    open      close, with every second tone an octave higher
    drop2     four tones in close position, the second from the top an octave lower; drop3: the third from the top
    quartal   fourths of the chord's scale, from the bass up or above it: see `quartal.py`

The bass is always the one that was asked for: a drop is made from the close position that brings it to the bottom.
Chords of three tones double one of them for a drop; those of more than four are reduced to the essential ones.
"""

from typing import Literal, get_args

from consort_compose.composer.voicings.quartal import Shape, chord_scale, quartal_shape
from consort_compose.composer.voicings.tones import essential, weights
from consort_music.chords import ChordSymbol, NoteName
from consort_music.chords.symbol import spell

Style = Literal["close", "open", "drop2", "drop3", "quartal"]
STYLES: tuple[Style, ...] = get_args(Style)

_DROPPED = {"drop2": 2, "drop3": 1}
"""Which note of four, from the bottom, goes down."""


def shape(chord: ChordSymbol, style: Style, bass: int) -> Shape | None:
    """The shape of a style over a bass, lowest note first; None where there is none (a drop of two tones)."""
    match style:
        case "close":
            return close_shape(chord, bass)
        case "open":
            return open_shape(chord, bass)
        case "quartal":
            return quartal_shape(chord, bass)
        case _:
            return drop_shape(chord, bass, _DROPPED[style])


def close_shape(chord: ChordSymbol, bass: int) -> Shape:
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


def open_shape(chord: ChordSymbol, bass: int) -> Shape:
    close = close_shape(chord, bass)
    if len(close) == 2:
        return (*close, close[0] + 12)
    return tuple(sorted({note + 12 * (place % 2) for place, note in enumerate(close)}))


def drop_shape(chord: ChordSymbol, bass: int, dropped: int) -> Shape | None:
    core = four_tones(chord, bass)
    if len(core) < 3:
        return None
    ring = sorted((pitch_class - bass) % 12 for pitch_class in core)
    ladder = [12 * octave + step for octave in range(3) for step in ring]
    # The bass of the result is the tone that drops: it stands at `dropped` in the close position.
    start = ladder.index(12) - dropped
    close = ladder[start : start + 4]
    notes = sorted([*close[:dropped], close[dropped] - 12, *close[dropped + 1 :]])
    return tuple(bass + note for note in notes)


def four_tones(chord: ChordSymbol, bass: int) -> tuple[int, ...]:
    """At most four pitch classes that say the chord over this bass."""
    best = essential(chord, 4)
    if bass in best:
        return best
    kept = essential(chord, 3) if len(best) == 4 else best
    if bass in {tone.pitch_class for tone in chord.tones}:
        costs = weights(chord).missing
        kept = tuple(sorted(best, key=lambda tone: -costs[tone])[:3])
    return (bass, *kept)


def note_names(chord: ChordSymbol, style: Style | None) -> dict[int, NoteName]:
    """How the notes of a voicing are spelled: by the chord, and in a quartal stack by its scale."""
    names: dict[int, NoteName] = {}
    if style == "quartal" and chord.root is not None:
        for degree in chord_scale(chord):
            tone = spell(chord.root, degree)
            names[tone.pitch_class] = tone.name
    for pitch_class in chord.pitch_classes:
        names[pitch_class] = chord.note_name(pitch_class)
    return names


def style_of(chord: ChordSymbol, notes: tuple[int, ...]) -> Style | None:
    """The style that a voicing is in, if it is one of the five."""
    bass = notes[0] % 12
    lowered = tuple(note - notes[0] + bass for note in notes)
    for style in STYLES:
        if shape(chord, style, bass) == lowered:
            return style
    if lowered[-1] - lowered[0] < 12:
        return "close"
    return "open" if len(notes) < 4 or lowered[-1] - lowered[1] >= 12 else None
