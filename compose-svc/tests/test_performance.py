"""How a score is played: the stated maxima, the order of notes, the curves."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from consort_compose.composer.export.models import ComposeExportMidi
from consort_compose.composer.export.performance import PPQ, Humanize, perform
from consort_compose.composer.export.service import export
from consort_music.note_list import parse_note_list
from consort_music.score import Part, Score, seconds

items = st.builds(
    lambda step, octave, length: f"{step}{octave}:{length}",
    st.sampled_from("CDEFGAB"),
    st.integers(3, 5),
    st.sampled_from(["q", "e", "s", "h", "e3", "t"]),
)
melodies = st.lists(items, min_size=1, max_size=40).map(" ".join).map(parse_note_list)


@given(melodies, st.floats(0, 1), st.integers(0, 2**32), st.sampled_from([20, 60, 120, 300]))
def test_humanized_within_the_maxima(score: Score, amount: float, seed: int, tempo: int) -> None:
    score = replace(score, tempos=((Fraction(0), Fraction(tempo)),))
    played = perform(score, "flat", Humanize(amount, seed)).parts[0].notes
    before, moment = Fraction(-1), Fraction(-1)
    for note, original in zip(played, score.parts[0].notes, strict=True):
        ms = float(abs(note.start - original.start)) * 60_000 / tempo
        assert ms <= 50 * amount + 1e-6
        assert abs(note.velocity - original.velocity) <= 25 * amount
        assert note.start >= 0 and note.duration > 0
        assert note.start > before or original.start == moment
        assert (note.start * PPQ).denominator == 1
        assert note.duration <= original.duration * (1 + Fraction(16, 100)) or note.duration == Fraction(1, PPQ)
        before, moment = note.start, original.start
    assert perform(score, "flat", Humanize(amount, seed)).parts[0].notes == played


def test_the_maxima_hold_at_every_tempo() -> None:
    tempos = tuple((Fraction(4 * bar), Fraction(bpm)) for bar, bpm in enumerate((240, 40, 120, 30)))
    score = replace(parse_note_list("C4:e D4:e E4:e F4:e " * 8), tempos=tempos)
    for seed in range(20):
        played = perform(score, "flat", Humanize(1, seed)).parts[0].notes
        for note, original in zip(played, score.parts[0].notes, strict=True):
            assert abs(seconds(tempos, note.start) - seconds(tempos, original.start)) <= 0.05 + 1e-9


@given(melodies, st.integers(0, 2**32))
def test_no_note_is_cut_off_by_the_end_of_an_earlier_one(score: Score, seed: int) -> None:
    played = perform(score, "flat", Humanize(1, seed)).parts[0].notes
    for index, note in enumerate(played):
        for later in played[index + 1 :]:
            if later.midi == note.midi and later.start > note.start:
                assert note.end <= later.start


def test_humanizing_does_vary() -> None:
    score = parse_note_list("C4:q D4:q E4:q F4:q " * 8)
    played = perform(score, "flat", Humanize(0.3, 1)).parts[0].notes
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
    played = perform(score, "flat", Humanize(1, 3))
    assert [part.name for part in played.parts] == ["a", "b"]
    assert isinstance(played.parts[0], Part)


def test_abc_is_in_the_key_that_was_found() -> None:
    score = parse_note_list("G4 A4 B4 C5 D5 E5 F#5 G5 F#5 D5 B4 G4")
    made = export(score, ComposeExportMidi(stream="", include_abc=True))
    assert made.metadata.key_signature == "G major"
    assert made.abc is not None and "K:G\n" in made.abc and "^" not in made.abc


def test_a_pickup_is_no_measure() -> None:
    score = replace(parse_note_list("G4 C5:w E5:w"), pickup=Fraction(1))
    assert export(score, ComposeExportMidi(stream="")).metadata.measures == 2
