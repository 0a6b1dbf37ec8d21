"""Velocity curves, and the limits of humanizing: timing, velocity, length, and the order of notes."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from consort_compose.composer.export.models import ComposeExportMidi
from consort_compose.composer.export.performance import PPQ, HumanizeSettings, perform
from consort_compose.composer.export.service import make_export
from consort_music.notation.note_list import parse_note_list
from consort_music.score import Part, Score, seconds

items = st.builds(
    lambda step, octave, length: f"{step}{octave}:{length}",
    st.sampled_from("CDEFGAB"),
    st.integers(3, 5),
    st.sampled_from(["q", "e", "s", "h", "e3", "t"]),
)
melodies = st.lists(items, min_size=1, max_size=40).map(" ".join).map(parse_note_list)


@given(melodies, st.floats(0, 1), st.integers(0, 2**32), st.sampled_from([20, 60, 120, 300]))
def test_humanizing_stays_within_its_limits(score: Score, amount: float, seed: int, tempo: int) -> None:
    score = replace(score, tempos=((Fraction(0), Fraction(tempo)),))
    played = perform(score, "flat", HumanizeSettings(amount, seed)).parts[0].notes
    before, moment = Fraction(-1), Fraction(-1)
    for note, original in zip(played, score.parts[0].notes, strict=True):
        ms = float(abs(note.start - original.start)) * 60_000 / tempo
        assert ms <= 50 * amount + 1e-6
        assert abs(note.velocity - original.velocity) <= 25 * amount
        assert note.start >= 0 and note.duration > 0
        if original.start != moment:
            assert note.start > before
        assert (note.start * PPQ).denominator == 1
        assert note.duration <= max(original.duration * (1 + Fraction(16, 100)), Fraction(1, PPQ))
        before, moment = note.start, original.start
    assert perform(score, "flat", HumanizeSettings(amount, seed)).parts[0].notes == played


def test_the_limits_hold_at_every_tempo() -> None:
    tempos = tuple((Fraction(4 * bar), Fraction(bpm)) for bar, bpm in enumerate((240, 40, 120, 30)))
    score = replace(parse_note_list("C4:e D4:e E4:e F4:e " * 8), tempos=tempos)
    for seed in range(20):
        played = perform(score, "flat", HumanizeSettings(1, seed)).parts[0].notes
        for note, original in zip(played, score.parts[0].notes, strict=True):
            assert abs(seconds(tempos, note.start) - seconds(tempos, original.start)) <= 0.05 + 1e-9


@given(melodies, st.integers(0, 2**32))
def test_notes_end_before_the_next_note_of_the_same_pitch(score: Score, seed: int) -> None:
    played = perform(score, "flat", HumanizeSettings(1, seed)).parts[0].notes
    for index, note in enumerate(played):
        for later in played[index + 1 :]:
            if later.midi == note.midi and later.start > note.start:
                assert note.end <= later.start


def test_humanizing_varies_notes() -> None:
    score = parse_note_list("C4:q D4:q E4:q F4:q " * 8)
    played = perform(score, "flat", HumanizeSettings(0.3, 1)).parts[0].notes
    assert sum(note.start != original.start for note, original in zip(played, score.parts[0].notes, strict=True)) > 10
    assert len({note.velocity for note in played}) > 5


def velocities(score: Score, curve: str) -> list[int]:
    return [note.velocity for note in perform(score, curve, None).parts[0].notes]


@given(melodies)
def test_curves(score: Score) -> None:
    rising, falling = velocities(score, "crescendo"), velocities(score, "diminuendo")
    assert rising == sorted(rising) and falling == sorted(falling, reverse=True)
    assert velocities(score, "flat") == [64] * len(rising)
    dynamic = perform(score, "dynamic", None)
    loud = [note.velocity for note in dynamic.parts[0].notes if score.strength(note.start) == 3]
    soft = [note.velocity for note in dynamic.parts[0].notes if score.strength(note.start) == 0]
    if loud and soft:
        assert min(loud) > max(soft)


def test_parts_differ_and_keep_their_names() -> None:
    score = parse_note_list('"a" C4:q C4:q\n"b" E4:q E4:q')
    played = perform(score, "flat", HumanizeSettings(1, 3))
    assert [part.name for part in played.parts] == ["a", "b"]
    assert isinstance(played.parts[0], Part)


def test_abc_is_in_the_detected_key() -> None:
    score = parse_note_list("G4 A4 B4 C5 D5 E5 F#5 G5 F#5 D5 B4 G4")
    made = make_export(score, ComposeExportMidi(stream="", include_abc=True))
    assert made.metadata.key_signature == "G major"
    assert made.abc is not None and "K:G\n" in made.abc and "^" not in made.abc


def test_a_pickup_does_not_count_as_a_measure() -> None:
    score = replace(parse_note_list("G4 C5:w E5:w"), pickup=Fraction(1))
    assert make_export(score, ComposeExportMidi(stream="")).metadata.measures == 2
