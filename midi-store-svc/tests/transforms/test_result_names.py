"""Names of transformed files."""

import pytest

from consort_kit.storage.file_names import MAX_NAME_BYTES, check_name
from consort_midi_store.transforms.operation_parameters import (
    OperationParameters,
    QuantizeOperation,
    SplitOperation,
    TransposeOperation,
)
from consort_midi_store.transforms.result_names import names_with_labels, result_name
from consort_music.timing.grid import parse_grid

TRANSPOSE = TransposeOperation(semitones=2)
QUANTIZE = QuantizeOperation(parse_grid("1/8"))
SPLIT = SplitOperation()


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
def test_a_result_is_named_after_its_source_and_the_operations(
    source: str | None, operations: list[OperationParameters], name: str
) -> None:
    assert result_name(source, operations) == name


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
def test_parts_of_a_split_have_different_names(labels: list[str | None], names: list[str]) -> None:
    assert names_with_labels("a.mid", labels) == names


@pytest.mark.parametrize("stem", ["x" * 196, "音" * 65, "é" * 98])
def test_names_are_never_too_long(stem: str) -> None:
    name = check_name(f"{stem}.mid", "name")
    made = [result_name(name, [TRANSPOSE]), *names_with_labels(name, ["楽" * 200, "楽" * 200, "Lead"])]
    assert len(set(made)) == 4
    for each in made:
        assert check_name(each, "name") == each and len(each.encode()) <= MAX_NAME_BYTES
        assert each.endswith(".mid")
