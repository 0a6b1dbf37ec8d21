"""Names that are not taken yet."""

from consort_music.texts.unused_names import unused_name


def test_a_free_name_is_kept_and_a_taken_one_gets_a_number() -> None:
    assert unused_name("alto", {"tenor"}.__contains__) == "alto"
    assert unused_name("alto", {"alto"}.__contains__) == "alto 2"
    assert unused_name("alto", {"alto", "alto 2", "alto 4"}.__contains__) == "alto 3"


def test_long_names_are_cut_with_room_for_the_number() -> None:
    assert unused_name("x" * 30, set[str]().__contains__, 20) == "x" * 20
    assert unused_name("x" * 30, {"x" * 20}.__contains__, 20) == "x" * 15 + " 2"
