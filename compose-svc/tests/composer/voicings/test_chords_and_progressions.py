"""Single chords and progressions on each instrument, tested with the definitions in this module, not the engine's."""

import itertools

import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

from consort_compose.composer.voicings.engine.least_motion import motion, nearest_voicing
from consort_compose.composer.voicings.engine.progression import realize_progression
from consort_compose.composer.voicings.engine.single_chord import (
    Realized,
    VoicingInstrument,
    VoicingRequest,
    inversion_bass,
    realize_chord,
    with_bass,
)
from consort_compose.composer.voicings.engine.styles import STYLES, VoicingStyle
from consort_music.chords.grammar import parse_chord
from consort_music.chords.symbol import ChordSymbol, NoteName
from consort_music.errors import MusicError
from evaluation.checkers.guitar import is_playable

ROOTS = ["C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
QUALITIES = [
    "", "m", "dim", "aug", "sus4", "sus2", "7", "maj7", "m7", "m7b5", "dim7", "6", "m6", "7sus4", "m(maj7)", "7#5",
    "9", "maj9", "m9", "13", "m11", "7b9", "7#9", "7alt", "6/9", "add9", "maj7#11", "13#11", "7b9b13",
]  # fmt: skip
INSTRUMENTS: list[VoicingInstrument] = ["piano", "guitar", "satb", "strings"]
RANGES = {"piano": (21, 108), "guitar": (40, 88), "satb": (40, 81), "strings": (36, 88)}
MOST = {"piano": 10, "guitar": 6, "satb": 4, "strings": 4}
STRINGS_OF_A_GUITAR = (40, 45, 50, 55, 59, 64)

chords = st.builds(
    lambda root, quality: parse_chord(root + quality), st.sampled_from(ROOTS), st.sampled_from(QUALITIES)
)


def check(request: VoicingRequest, result: Realized, bass: int) -> None:
    """Check the properties that every voicing must have, in any style."""
    notes = list(result.voicing.notes)
    low, high = RANGES[request.instrument]
    assert notes == sorted(set(notes))
    assert low <= notes[0] and notes[-1] <= high
    assert len(notes) <= MOST[request.instrument]
    assert [pitch.midi for pitch in result.pitches] == notes
    assert notes[0] % 12 == bass
    if result.voicing.style != "quartal":
        check_tones(request.chord, notes)
    check_style(request.chord, notes, result.voicing.style, request.instrument)
    if request.instrument == "guitar":
        assert result.voicing.fingering is not None
        check_frets(result.voicing.fingering.frets, notes)
    if request.instrument == "satb":
        for note, (lowest, highest) in zip(notes, ((40, 62), (48, 69), (55, 74), (60, 81)), strict=True):
            assert lowest <= note <= highest
    if request.instrument == "strings":
        assert result.voicing.players is not None
        check_players(result.voicing.players, notes)


def check_tones(chord: ChordSymbol, notes: list[int], *, complete: bool = True) -> None:
    classes = {note % 12 for note in notes}
    assert classes <= chord.pitch_classes
    by_interval = {tone.interval: tone.pitch_class for tone in chord.tones}
    for interval in ("m3", "P4", "M2", "m7", "M7", "d7", "M6"):
        if interval in by_interval:
            assert by_interval[interval] in classes
    if "P11" not in by_interval and "M3" in by_interval:
        assert by_interval["M3"] in classes
    if complete and len(chord.pitch_classes) <= min(len(notes), 4):
        assert classes == chord.pitch_classes


def tones_between(classes: set[int], low: int, high: int) -> int:
    """Return how many notes between `low` and `high` have these pitch classes."""
    return sum(note % 12 in classes for note in range(low + 1, high))


def check_style(
    chord: ChordSymbol, notes: list[int], style: VoicingStyle | None, instrument: VoicingInstrument
) -> None:
    classes = {note % 12 for note in notes}
    match style:
        case "close" if instrument in ("satb", "strings"):
            if len(notes) == 4:
                assert notes[3] - notes[1] <= 12
        case "close":
            assert notes[-1] - notes[0] < (12 if len(chord.pitch_classes) <= 4 else 24)
        case "open":
            assert notes[-1] - notes[0] >= 12
        case "drop2" | "drop3":
            close = sorted([notes[0] + 12, *notes[1:]])
            assert close.index(notes[0] + 12) == (2 if style == "drop2" else 1)
            assert close[-1] - close[0] <= 12
            assert all(tones_between(classes, low, high) == 0 for low, high in itertools.pairwise(close))
        case "quartal":
            assert len(notes) >= 4  # the bass need not be a fourth below the next note
            assert all(4 <= high - low <= 6 for low, high in itertools.pairwise(notes[1:]))


def check_frets(frets: tuple[int | None, ...], notes: list[int]) -> None:
    assert len(frets) == 6
    sounding = sorted(STRINGS_OF_A_GUITAR[string] + fret for string, fret in enumerate(frets) if fret is not None)
    assert sounding == notes
    pressed = [fret for fret in frets if fret]
    assert all(0 < fret <= 24 for fret in pressed)
    if pressed:
        assert max(pressed) - min(pressed) <= 3
    assert is_playable(frets)


def check_players(players: dict[str, tuple[int, ...]], notes: list[int]) -> None:
    lowest = {"cello": 36, "viola": 48, "violin 2": 55, "violin 1": 55}
    assert sorted(note for played in players.values() for note in played) == notes
    for name, played in players.items():
        assert all(note >= lowest[name] for note in played)
        assert len(played) <= 2
        if len(played) == 2:
            fifths = [lowest[name] + 7 * string for string in range(4)]
            assert any(
                played[0] >= low and played[1] >= high and abs((played[0] - low) - (played[1] - high)) <= 12
                for low, high in itertools.pairwise(fifths)
            )


@settings(max_examples=150, deadline=None)
@given(chords, st.sampled_from(INSTRUMENTS), st.sampled_from([None, *STYLES]), st.integers(0, 6))
def test_every_chord_on_every_instrument(
    chord: ChordSymbol, instrument: VoicingInstrument, style: VoicingStyle | None, inversion: int
) -> None:
    bass = inversion_bass(chord, inversion % len(chord.tones))
    request = VoicingRequest(chord, instrument, style, bass)
    result = realize_chord(request)
    check(request, result, bass)
    if style and result.voicing.style != style:
        assert result.remarks
    for other, pitches in result.alternatives:
        assert other.notes != result.voicing.notes
        assert [pitch.midi for pitch in pitches] == list(other.notes)
        check_style(chord, list(other.notes), other.style, instrument)
        assert other.notes[0] % 12 == bass
        if instrument == "guitar":
            assert other.fingering is not None
            check_frets(other.fingering.frets, list(other.notes))


CHARACTERISTIC = {"m3", "M3", "P4", "M2", "M6", "m7", "M7", "d7", "d5", "A5", "m9", "A9", "A11", "m13"}
"""The characteristic intervals of a symbol. Of the unaltered tensions, only the highest is added to them."""
OPTIONAL = {"7alt": {"m9", "A11", "d5", "A5"}}
"""An altered chord needs only two of its alterations."""


def characteristic_tones(chord: ChordSymbol, quality: str) -> set[int]:
    wanted = {
        tone.pitch_class for tone in chord.tones if tone.interval in CHARACTERISTIC - OPTIONAL.get(quality, set())
    }
    if chord.degrees[-1][0] > 7:
        wanted.add(chord.tones[-1].pitch_class)
    return wanted


@pytest.mark.parametrize("quality", QUALITIES)
def test_characteristic_tones_sound_or_are_reported_missing(quality: str) -> None:
    """If there are enough voices, all characteristic tones sound; otherwise a remark names the missing ones.

    Only quartal voicings may lack a tone although there are enough voices, but never a sixth or a seventh.
    """
    for number, (instrument, style) in enumerate(itertools.product(INSTRUMENTS, STYLES)):
        chord = parse_chord(ROOTS[number % 12] + quality)
        for inversion in {0, number % len(chord.tones)}:
            bass = inversion_bass(chord, inversion)
            result = realize_chord(VoicingRequest(chord, instrument, style, bass))
            present = {note % 12 for note in result.voicing.notes}
            wanted = characteristic_tones(chord, quality)
            names = {tone.pitch_class: f"{tone.step}{'b' * -tone.alter}{'#' * tone.alter}" for tone in chord.tones}
            reported = " ".join(result.remarks).replace(",", " ").replace(".", " ").split()
            assert all(tone in present or names[tone] in reported for tone in wanted), (instrument, style, bass)
            if result.voicing.style != "quartal" and len({*wanted, bass, chord.root_pitch_class}) <= len(present):
                assert wanted <= present, (instrument, style, bass)
            if quality in ("6", "m6", "6/9", "7", "maj7", "m7", "13") and bass == chord.root_pitch_class:
                assert wanted <= present, (instrument, style)


@pytest.mark.parametrize(
    ("symbol", "notes"),
    [
        ("C6", "C E A D"),
        ("Am6", "A C F# B"),
        ("C69", "C E A D"),
        ("Dm7", "D G C F"),
        ("C13", "C Bb E A"),
        ("C7b9", "C Bb E A Db"),
        ("C7sus4", "C C F Bb"),
        ("C6/E", "E A D G C"),
    ],
)
def test_quartal_voicings_have_the_characteristic_tones(symbol: str, notes: str) -> None:
    result = realize_chord(VoicingRequest(parse_chord(symbol), "piano", "quartal"))
    assert [pitch.name[:-1] for pitch in result.pitches] == notes.split()
    assert result.remarks == []


@settings(max_examples=80, deadline=None)
@given(
    chords, st.sampled_from(INSTRUMENTS), st.sampled_from([*ROOTS, "Cb", "B#", "Fbb"]), st.sampled_from([None, *STYLES])
)
@example(parse_chord("Dbm7b5"), "piano", "B", "quartal")  # the seventh of the chord is C flat, which sounds like B
def test_a_bass_outside_the_chord(
    chord: ChordSymbol, instrument: VoicingInstrument, root: str, style: VoicingStyle | None
) -> None:
    over = with_bass(chord, NoteName(root[0], root.count("#") - root.count("b")))
    request = VoicingRequest(over, instrument, style)
    result = realize_chord(request)
    assert result.voicing.notes[0] % 12 == over.bass_pitch_class
    assert result.pitches[0].name[:-1] == root
    check(request, result, over.bass_pitch_class or 0)


@pytest.mark.parametrize("style", ["drop2", "drop3", "close", "open"])
def test_piano_styles_are_exact(style: VoicingStyle) -> None:
    for root, quality in itertools.product(ROOTS, ("maj7", "7", "m7", "m7b5", "dim7", "m6")):
        chord = parse_chord(root + quality)
        for inversion in range(4):
            result = realize_chord(VoicingRequest(chord, "piano", style, inversion_bass(chord, inversion)))
            assert result.voicing.style == style
            assert {note % 12 for note in result.voicing.notes} == chord.pitch_classes


@pytest.mark.parametrize(
    ("symbol", "frets"),
    [
        ("C", "x32010"), ("G", "320003"), ("D", "xx0232"), ("A", "x02220"), ("E", "022100"), ("F", "133211"),
        ("Am", "x02210"), ("Em", "022000"), ("Dm", "xx0231"), ("E7", "020100"), ("A7", "x02020"), ("D7", "xx0212"),
        ("B7", "x21202"), ("Cmaj7", "x32000"), ("Am7", "x02010"), ("D/F#", "200232"), ("F#m", "244222"),
    ],
)  # fmt: skip
def test_common_guitar_shapes(symbol: str, frets: str) -> None:
    fingering = realize_chord(VoicingRequest(parse_chord(symbol), "guitar")).voicing.fingering
    assert fingering is not None
    assert "".join("x" if fret is None else str(fret) for fret in fingering.frets) == frets


@settings(max_examples=60, deadline=None)
@given(chords, st.sampled_from(INSTRUMENTS), st.integers(40, 60), st.integers(20, 40))
def test_voicings_stay_in_the_range(chord: ChordSymbol, instrument: VoicingInstrument, low: int, size: int) -> None:
    try:
        notes = realize_chord(VoicingRequest(chord, instrument, low=low, high=low + size)).voicing.notes
    except MusicError:
        reject()  # not every chord fits every range
    assert low <= notes[0] and notes[-1] <= low + size


@settings(max_examples=40, deadline=None)
@given(chords, st.integers(40, 60), st.integers(34, 40))
def test_every_chord_fits_34_semitones_of_a_piano(chord: ChordSymbol, low: int, size: int) -> None:
    assert realize_chord(VoicingRequest(chord, "piano", low=low, high=low + size)).voicing.notes


@settings(max_examples=40, deadline=None)
@given(chords, st.sampled_from(("piano", "guitar")), st.integers(40, 60))
def test_no_chord_fits_a_range_of_a_semitone(chord: ChordSymbol, instrument: VoicingInstrument, low: int) -> None:
    with pytest.raises(MusicError) as caught:
        realize_chord(VoicingRequest(chord, instrument, low=low, high=low + 1))
    assert caught.value.code == "INVALID_RANGE"


# --- voice leading


def least_motion(before: list[int], after: list[int]) -> int:
    """Return the least motion by brute force: pair each note of the larger chord with one of the smaller."""
    fewer, more = sorted((before, after), key=len)
    return min(
        sum(abs(note - fewer[target]) for note, target in zip(more, targets, strict=True))
        for targets in itertools.product(range(len(fewer)), repeat=len(more))
        if set(targets) == set(range(len(fewer)))
    )


notes_of_a_chord = st.lists(st.integers(48, 76), min_size=1, max_size=5, unique=True).map(sorted)


@given(notes_of_a_chord, notes_of_a_chord)
def test_motion_is_the_least_of_all_pairings(before: list[int], after: list[int]) -> None:
    assert motion(before, after) == least_motion(before, after)


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["C", "Fm", "G7", "Dm7", "Bm7b5"]),
    st.lists(st.integers(52, 72), min_size=3, max_size=4, unique=True),
)
def test_the_nearest_voicing_has_the_least_motion(symbol: str, before: list[int]) -> None:
    chord = parse_chord(symbol)
    before = sorted(before)
    found = nearest_voicing(chord, before, 36, 96)
    assert found is not None
    voices = max(len(before), len(chord.tones))
    assert len(found) == voices
    assert {note % 12 for note in found} == chord.pitch_classes
    near = [note for note in range(before[0] - 9, before[-1] + 10) if note % 12 in chord.pitch_classes]
    best = min(
        motion(before, notes)
        for notes in itertools.combinations(near, voices)
        if {note % 12 for note in notes} == chord.pitch_classes
    )
    assert motion(before, found) == best


@pytest.mark.parametrize("instrument", INSTRUMENTS)
@pytest.mark.parametrize("style", [None, "close", "drop2"])
def test_a_previous_voicing_reduces_the_motion(instrument: VoicingInstrument, style: VoicingStyle | None) -> None:
    before = realize_chord(VoicingRequest(parse_chord("C"), instrument, style)).voicing.notes
    chord = parse_chord("F")
    led = realize_chord(VoicingRequest(chord, instrument, style, previous=before))
    far = realize_chord(VoicingRequest(chord, instrument, style))
    assert motion(before, led.voicing.notes) <= motion(before, far.voicing.notes)
    with_given_bass = realize_chord(VoicingRequest(chord, instrument, style, bass=5, previous=before))
    assert with_given_bass.voicing.notes[0] % 12 == 5


# --- progressions


@settings(max_examples=40, deadline=None)
@given(st.lists(chords, min_size=1, max_size=8), st.sampled_from(INSTRUMENTS), st.booleans())
def test_progressions(progression: list[ChordSymbol], instrument: VoicingInstrument, inversions: bool) -> None:
    result = realize_progression(progression, instrument, inversions=inversions)
    assert [step.chord for step in result.steps] == progression
    for step in result.steps:
        assert step.voicing is not None
        notes = list(step.voicing.notes)
        check_tones(step.chord, notes, complete=instrument in ("piano", "guitar"))
        assert [pitch.midi for pitch in step.pitches] == notes
        if not inversions:
            assert notes[0] % 12 == step.chord.root_pitch_class
        if instrument == "guitar":
            assert step.voicing.fingering is not None
            check_frets(step.voicing.fingering.frets, notes)
    if instrument in ("satb", "strings"):
        for first, second in itertools.pairwise(result.steps):
            assert first.voicing and second.voicing
            for low, high in itertools.combinations(range(4), 2):
                a, b = first.voicing.notes, second.voicing.notes
                same = (a[high] - a[low]) % 12 == (b[high] - b[low]) % 12
                if same and (a[high] - a[low]) % 12 in (0, 7):
                    assert (b[low] - a[low]) * (b[high] - a[high]) <= 0


def test_a_progression_moves_less_than_its_chords_alone() -> None:
    progression = [parse_chord(symbol) for symbol in ["Dm7", "G7", "Cmaj7", "Am7", "Dm7", "G7", "C6"]]
    together = realize_progression(progression).motion
    alone = [realize_chord(VoicingRequest(chord)).voicing.notes for chord in progression]
    assert together < sum(motion(first, second) for first, second in itertools.pairwise(alone)) / 2


def test_no_chord_is_a_rest_in_a_progression() -> None:
    steps = realize_progression([parse_chord(symbol) for symbol in ("C", "N.C.", "G")]).steps
    assert [bool(step.pitches) for step in steps] == [True, False, True]


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("instrument", ["satb", "strings"])
def test_a_sharp_ninth_is_above_the_third(root: str, instrument: VoicingInstrument) -> None:
    tonic = parse_chord(root).root_pitch_class or 0
    notes = realize_chord(VoicingRequest(parse_chord(f"{root}7#9"), instrument)).voicing.notes
    places = {(note - tonic) % 12: place for place, note in enumerate(notes)}
    assert places[3] > places[4]


def test_four_voices_avoid_a_bass_on_the_fifth() -> None:
    """After the tonic of any key, the dominant seventh is in root position or has its third in the bass."""
    for shift in range(-4, 5):
        before = tuple(note + shift for note in (48, 64, 67, 72))
        request = VoicingRequest(parse_chord(f"{ROOTS[(7 + shift) % 12]}7"), "satb", previous=before)
        bass = realize_chord(request).voicing.notes[0]
        assert (bass - shift) % 12 in (7, 11)


def test_errors_of_the_engine() -> None:
    with pytest.raises(MusicError) as caught:
        realize_chord(VoicingRequest(parse_chord("N.C.")))
    assert caught.value.code == "INVALID_CHORD_SYMBOL"
    with pytest.raises(MusicError) as caught:
        inversion_bass(parse_chord("C"), 3)
    assert caught.value.code == "INVALID_INVERSION"
    with pytest.raises(MusicError) as caught:
        realize_progression([parse_chord("C")], "guitar", low=40, high=42)
    assert caught.value.code == "INVALID_RANGE"
