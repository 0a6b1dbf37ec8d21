"""Chords of plain tones are found with their times, with the network and without it."""

from pathlib import Path

import numpy as np
import pytest

from consort_audio.analysis.chords.answer import answer
from consort_audio.analysis.chords.chord_path import best_path, path_score
from consort_audio.analysis.chords.find import find_chords
from consort_audio.analysis.chords.models import ChordsAnswer
from consort_audio.signals.recording import RATE, Recording
from tests.support.listening_models import hide_models, require_models
from tests.support.synthetic_music import chord_row, melody_row, recorded, white_noise

PROGRESSION = [(48, 60, 64, 67), (45, 57, 60, 64), (41, 57, 60, 65), (43, 59, 62, 65)]
NAMES = ["Cmaj", "Amin", "Fmaj", "G7"]


@pytest.fixture(params=["network", "plain"])
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Use the chord network, or hide it."""
    if request.param == "plain":
        hide_models(monkeypatch, tmp_path)
    else:
        require_models()
    return str(request.param)


@pytest.mark.parametrize("cents", [0, 35])
def test_a_progression(method: str, cents: int) -> None:
    found = answer(recorded(chord_row(PROGRESSION * 2, 1.2, cents)), {})
    ChordsAnswer(**found)
    assert [chord["chord"] for chord in found["chords"]] == NAMES * 2
    assert [chord["time"] for chord in found["chords"]] == pytest.approx([1.2 * place for place in range(8)], abs=0.15)
    assert sum(chord["duration"] for chord in found["chords"]) == pytest.approx(9.6, abs=0.2)
    assert found["progression"] == NAMES
    assert found["key"] == "C major"
    assert found["numerals"] == ["I", "vi", "IV", "V7"]
    assert ("network" in found["method"]) == (method == "network")


def test_numerals_follow_a_change_of_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hide_models(monkeypatch, tmp_path)
    song = [(48, 60, 64, 67), (53, 60, 65, 69), (43, 59, 62, 65), (48, 60, 64, 67), (45, 57, 60, 64), (50, 57, 62, 65)]
    first, second = [*song, song[2], song[0]] * 3, [*song, song[2], song[0]] * 3
    higher = [tuple(pitch + 3 for pitch in chord) for chord in second]
    found = answer(recorded(chord_row([*first, *higher], 1.2)), {})
    assert found["key"] == "C major"
    assert [numeral for numeral in found["numerals"] if ":" in numeral] == ["C: I", "Eb: I"]
    change = found["numerals"].index("Eb: I")
    assert found["progression"][change] == "Ebmaj"
    assert found["numerals"][:4] == ["C: I", "IV", "V7", "I"]
    assert found["numerals"][change + 1 : change + 4] == ["IV", "V7", "I"]


def test_a_part_is_cut_at_its_ends(method: str) -> None:
    found = answer(recorded(chord_row(PROGRESSION, 2.0)), {"start_time": 3.0, "end_time": 5.0})
    assert [chord["chord"] for chord in found["chords"]] == ["Amin", "Fmaj"]
    assert found["chords"][0]["time"] == 3.0
    assert found["chords"][-1]["time"] + found["chords"][-1]["duration"] == pytest.approx(5.0, abs=0.01)


def test_an_inversion(method: str) -> None:
    (chord,) = find_chords(recorded(chord_row([(40, 60, 67, 72)], 3.0))).chords
    assert (chord.chord.root, chord.chord.kind.suffix, chord.chord.bass) == (0, "maj", 4)


def test_a_pause_between_chords_has_no_chord(method: str) -> None:
    pause = np.zeros(2 * RATE)
    sound = np.concatenate((chord_row([PROGRESSION[0]], 2.0), pause, chord_row([PROGRESSION[1]], 2.0)))
    first, second = find_chords(recorded(sound)).chords
    assert first.end == pytest.approx(2.0, abs=0.3)
    assert second.start == pytest.approx(4.0, abs=0.3)


def test_chords_are_more_certain_than_a_melody(method: str) -> None:
    scale = [(pitch, 0.4) for pitch in (60, 62, 64, 65, 67, 69, 71, 72)]
    chords = answer(recorded(chord_row(PROGRESSION, 1.0)), {})
    assert answer(recorded(melody_row(scale)), {})["confidence"] < chords["confidence"] - 0.2


@pytest.mark.parametrize("sound", [np.zeros(RATE), white_noise(4.0)], ids=["silence", "noise"])
def test_no_chords_without_tones(method: str, sound: np.ndarray) -> None:
    found = answer(Recording(sound.astype(np.float32)), {})
    assert found["chords"] == []
    assert found["confidence"] == 0


def test_the_best_path_is_the_best_of_all_paths() -> None:
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(6, 3)).astype(np.float32)
    change = -np.abs(rng.normal(-1, 0.3, 6)).astype(np.float32)
    entering = -np.abs(rng.normal(size=3)).astype(np.float32)

    def total(path: tuple[int, ...]) -> float:
        value = entering[path[0]] + scores[0, path[0]]
        for frame in range(1, 6):
            value += scores[frame, path[frame]]
            if path[frame] != path[frame - 1]:
                value += change[frame] + entering[path[frame]]
        return float(value)

    paths = [tuple(int(digit) for digit in np.base_repr(number, 3).zfill(6)) for number in range(3**6)]
    found = best_path(scores, change, entering)
    assert total(tuple(found.tolist())) == pytest.approx(max(map(total, paths)), abs=1e-4)
    assert path_score(scores, change, entering, found) == pytest.approx(total(tuple(found.tolist())), abs=1e-4)
