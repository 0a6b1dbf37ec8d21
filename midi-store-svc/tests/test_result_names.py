"""What the files are called that a transform makes."""

import pytest

from consort_kit.sandbox import MAX_NAME_BYTES, check_name
from consort_midi_store.transforms.models import Operation, Quantize, Split, Transpose
from consort_midi_store.transforms.service import names_of, new_name

TRANSPOSE = Transpose(type="transpose", semitones=2)
QUANTIZE = Quantize(type="quantize", grid="1/8")
SPLIT = Split(type="split")


@pytest.mark.parametrize(
    ("source", "operations", "name"),
    [
        ("waltz.mid", [TRANSPOSE], "waltz transposed.mid"),
        ("waltz.mid", [TRANSPOSE, TRANSPOSE], "waltz transposed.mid"),
        ("waltz transposed.mid", [TRANSPOSE], "waltz transposed.mid"),
        ("waltz.KAR", [TRANSPOSE, QUANTIZE], "waltz edited.mid"),
        ("waltz.mid", [QUANTIZE, SPLIT], "waltz.mid"),
        (None, [QUANTIZE], "untitled quantized.mid"),
        ("A/B: the song", [QUANTIZE], "A-B- the song quantized.mid"),
    ],
)
def test_a_result_is_named_after_its_source_and_what_was_done(
    source: str | None, operations: list[Operation], name: str
) -> None:
    assert new_name(source, operations) == name


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        ([None], ["a.mid"]),
        (["Lead", "Bass"], ["a - Lead.mid", "a - Bass.mid"]),
        (
            ["Piano", "piano", "Piano", "Piano 2"],
            ["a - Piano.mid", "a - piano 2.mid", "a - Piano 3.mid", "a - Piano 2 2.mid"],
        ),
        (["A/1", "A_1", ".."], ["a - A_1.mid", "a - A_1 2.mid", "a - part.mid"]),
    ],
)
def test_no_two_parts_have_one_name(labels: list[str | None], names: list[str]) -> None:
    assert names_of("a.mid", labels) == names


@pytest.mark.parametrize("stem", ["x" * 196, "音" * 65, "é" * 98])
def test_names_fit_whatever_they_come_from(stem: str) -> None:
    name = check_name(f"{stem}.mid", "name")
    made = [new_name(name, [TRANSPOSE]), *names_of(name, ["楽" * 200, "楽" * 200, "Lead"])]
    assert len(set(made)) == 4
    for each in made:
        assert check_name(each, "name") == each and len(each.encode()) <= MAX_NAME_BYTES
        assert each.endswith(".mid")
