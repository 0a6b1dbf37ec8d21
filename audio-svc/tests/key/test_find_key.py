"""The key of plain music is found in all keys, with the networks and without them; noise has none."""

from pathlib import Path

import numpy as np
import pytest

from consort_audio.analysis.key.answer import answer
from consort_audio.analysis.key.evidence import LEAST_FINALITY, finality_of
from consort_audio.analysis.key.find import find_key, key_of_notes
from consort_audio.analysis.key.models import KeyAnswer
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, Recording
from tests.support.listening_models import hide_models, require_models
from tests.support.synthetic_music import chord_row, recorded, white_noise

MAJOR = [(48, 60, 64, 67), (53, 60, 65, 69), (55, 59, 62, 67), (48, 60, 64, 67)]
MINOR = [(48, 60, 63, 67), (53, 60, 65, 68), (55, 59, 62, 67), (48, 60, 63, 67)]
SCALE = [0, 2, 4, 5, 7, 9, 11, 12, 11, 9, 7, 5, 4, 2, 0]


@pytest.fixture(params=["networks", "plain"])
def _method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if request.param == "plain":
        hide_models(monkeypatch, tmp_path)
    else:
        require_models()


@pytest.mark.usefixtures("_method")
@pytest.mark.parametrize(
    ("chords", "shift", "name"),
    [
        (MAJOR, 0, "C major"),
        (MAJOR, 10, "Bb major"),
        (MAJOR, 6, "F# major"),
        (MINOR, 0, "C minor"),
        (MINOR, 6, "F# minor"),
    ],
)
def test_a_cadence(chords: list[tuple[int, ...]], shift: int, name: str) -> None:
    moved = [[pitch + shift - 12 * (shift > 6) for pitch in chord] for chord in chords]
    found = answer(recorded(chord_row(moved, 1.5), silence=0.5), {})
    KeyAnswer(**found)
    tonic, mode = name.split()
    assert (found["key"], found["tonic"], found["mode"]) == (name, tonic, mode)
    assert 0.4 < found["confidence"] <= 1
    assert all(other["confidence"] <= found["confidence"] for other in found["alternatives"])


@pytest.mark.usefixtures("_method")
def test_the_last_chord_of_a_clip_need_not_be_the_tonic() -> None:
    supertonic = (50, 62, 65, 69)
    found = find_key(recorded(chord_row([*MAJOR * 4, supertonic, supertonic], 1.0), silence=0.5))
    assert found.key is not None
    assert found.key.name == "C major"


@pytest.mark.parametrize(("last_s", "finality"), [(0.5, LEAST_FINALITY), (3.0, 1.0)], ids=["as long", "held"])
def test_the_end_counts_by_the_length_of_the_last_chord(last_s: float, finality: float) -> None:
    samples = np.concatenate([chord_row(MAJOR * 3, 0.5), chord_row(MAJOR[-1:], last_s)])
    assert finality_of(recorded(samples, silence=0.5)) == pytest.approx(finality, abs=0.1)


def test_a_change_of_key_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hide_models(monkeypatch, tmp_path)
    second = [[pitch + 6 for pitch in chord] for chord in MAJOR]
    found = answer(recorded(chord_row([*MAJOR * 7, *second * 7], 1.0)), {})
    (change,) = found["key_changes"]
    assert (change["from_key"], change["key"]) == ("C major", "F# major")
    assert found["key"] in ("C major", "F# major")
    assert change["time"] == pytest.approx(28, abs=6)
    assert answer(recorded(chord_row(MAJOR * 12, 1.0)), {})["key_changes"] == []


def test_two_keys_together_are_not_a_third_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hide_models(monkeypatch, tmp_path)
    song = [*MAJOR, (45, 57, 60, 64), (50, 57, 62, 65), (43, 59, 62, 65), (48, 60, 64, 67)]
    higher = [[pitch + 3 for pitch in chord] for chord in song]
    found = answer(recorded(chord_row([*song * 4, *higher * 4], 1.1)), {})
    (change,) = found["key_changes"]
    assert (change["from_key"], change["key"]) == ("C major", "Eb major")
    assert (found["key"], found["tonic"], found["mode"]) == ("C major", "C", "major")
    assert found["confidence"] > 0.5


@pytest.mark.usefixtures("_method")
@pytest.mark.parametrize("sound", [np.zeros(RATE), white_noise(4.0)], ids=["silence", "noise"])
def test_there_is_no_key_without_tones(sound: np.ndarray) -> None:
    found = answer(Recording(sound.astype(np.float32)), {})
    assert (found["key"], found["confidence"], found["alternatives"]) == (None, 0, [])


def test_little_sound_gives_little_confidence() -> None:
    assert find_key(recorded(chord_row(MAJOR[:1], 0.6))).confidence < 0.25


@pytest.mark.parametrize(("tonic", "name"), [(60, "C major"), (65, "F major"), (61, "Db major")])
def test_the_key_of_notes(tonic: int, name: str) -> None:
    notes = [PlayedNote(place, place + 0.9, tonic + step + 0.2, 0.9) for place, step in enumerate(SCALE)]
    found = key_of_notes(notes)
    assert found.key is not None
    assert found.key.name == name
    assert found.confidence > 0.5
    assert key_of_notes(notes[:2]).confidence < 0.3
    assert key_of_notes([]).key is None
