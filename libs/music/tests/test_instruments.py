"""Finding General MIDI instruments by everyday names, without guessing."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.instruments import DRUM_MAP, DRUMS, INSTRUMENTS, Instrument, find_instrument


def suggestions_for(name: str | int) -> list[str]:
    with pytest.raises(MusicError) as caught:
        find_instrument(name)
    assert caught.value.code == "UNKNOWN_INSTRUMENT"
    return caught.value.suggestions


def test_the_tables_are_general_midi() -> None:
    assert [instrument.program for instrument in INSTRUMENTS] == list(range(128))
    assert len({instrument.name for instrument in INSTRUMENTS}) == 128
    assert len({instrument.family for instrument in INSTRUMENTS}) == 16
    examples = {0: "Acoustic Grand Piano", 40: "Violin", 56: "Trumpet", 73: "Flute", 104: "Sitar", 127: "Gunshot"}
    assert {program: INSTRUMENTS[program].name for program in examples} == examples
    assert list(DRUM_MAP) == list(range(35, 82))
    assert (DRUM_MAP[36], DRUM_MAP[42], DRUM_MAP[49], DRUM_MAP[81]) == (
        "Bass Drum 1",
        "Closed Hi-Hat",
        "Crash Cymbal 1",
        "Open Triangle",
    )


@pytest.mark.parametrize("instrument", INSTRUMENTS, ids=lambda instrument: instrument.name)
def test_every_instrument_is_found_by_name_and_number(instrument: Instrument) -> None:
    assert find_instrument(instrument.name) is instrument
    assert find_instrument(instrument.name.upper().replace(" ", "_")) is instrument
    assert find_instrument(instrument.program) is instrument
    assert find_instrument(f" {instrument.program} ") is instrument


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("piano", "Acoustic Grand Piano"),
        ("Electric Piano", "Electric Piano 1"),
        ("e-piano", "Electric Piano 1"),
        ("strings", "String Ensemble 1"),
        ("sax", "Alto Sax"),
        ("tenor saxophone", "Tenor Sax"),
        ("guitar", "Acoustic Guitar (nylon)"),
        ("steel guitar", "Acoustic Guitar (steel)"),
        ("jazz guitar", "Electric Guitar (jazz)"),
        ("electric guitar", "Electric Guitar (clean)"),
        ("bass", "Electric Bass (finger)"),
        ("slap bass", "Slap Bass 1"),
        ("double bass", "Contrabass"),
        ("harp", "Orchestral Harp"),
        ("choir", "Choir Aahs"),
        ("horns", "French Horn"),
        ("the organ", "Drawbar Organ"),
        ("warm pad", "Pad 2 (warm)"),
        ("Violin II", "Violin"),
        ("Trumpet 2", "Trumpet"),
        ("steel drums", "Steel Drums"),
        ("honky tonk", "Honky-tonk Piano"),
        # typing errors
        ("acustic gitar", "Acoustic Guitar (nylon)"),
        ("pianno", "Acoustic Grand Piano"),
        ("vilin", "Violin"),
        ("trumpt", "Trumpet"),
        ("saxaphone", "Alto Sax"),
        ("electic piano", "Electric Piano 1"),
    ],
)
def test_everyday_names(name: str, found: str) -> None:
    assert find_instrument(name).name == found


@pytest.mark.parametrize(
    "name", ["drums", "Drum Kit", "percussion", "drumset", "snare", "bass drum", "Closed Hi-Hat", "cowbell"]
)
def test_drums(name: str) -> None:
    assert find_instrument(name) is DRUMS
    assert DRUMS.is_drums


@pytest.mark.parametrize(
    ("name", "suggested"),
    [
        ("jazz", "Electric Guitar (jazz)"),  # an adjective alone is not an instrument
        ("rock", "Rock Organ"),
        ("muted", "Muted Trumpet"),
        ("noise", "Breath Noise"),
        ("bells", "Tubular Bells"),  # two families
        ("soft piano", "Acoustic Grand Piano"),
        ("lute", "Acoustic Guitar (nylon)"),  # one letter away from flute, but not a flute
        ("cornet", "Trumpet"),
        ("hello", "Cello"),
        ("klarinet", "Clarinet"),
        ("drms", "Drums"),
        ("organic", "Drawbar Organ"),
    ],
)
def test_similar_names_are_suggested_but_not_used(name: str, suggested: str) -> None:
    assert suggested in suggestions_for(name)


@pytest.mark.parametrize(
    "name", ["banana", "computer", "laser", "car", "house", "", "  ", "🎹", "?", "instrument", "piano banana"]
)
def test_nonsense_is_rejected(name: str) -> None:
    assert suggestions_for(name)


@pytest.mark.parametrize("name", ["Klavier", "kazoo", "banana"])
def test_families_are_offered_if_no_name_is_similar(name: str) -> None:
    with pytest.raises(MusicError, match=r"no name is similar.* families: Piano, Organ, Guitar") as caught:
        find_instrument(name)
    for family in caught.value.suggestions:
        find_instrument(family)


@pytest.mark.parametrize("number", [-1, 128, "128", "999", True])
def test_numbers_outside_the_programs_are_rejected(number: str | int) -> None:
    suggestions_for(number)


@pytest.mark.parametrize("name", ["x" * 10_000_000, "piano " * 1_000_000, "zq " * 26])
def test_long_names_take_no_time(name: str) -> None:
    started = time.process_time()
    suggestions_for(name)
    assert time.process_time() - started < 2


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=30))
def test_any_text_is_found_or_rejected_with_valid_suggestions(text: str) -> None:
    try:
        find_instrument(text)
    except MusicError as error:
        assert error.code == "UNKNOWN_INSTRUMENT"
        for suggestion in error.suggestions:
            find_instrument(suggestion)
