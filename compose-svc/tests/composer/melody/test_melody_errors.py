"""Errors of the melody engine cross the border of a process whole."""

import pickle

import pytest

from consort_compose.composer.melody.models import GenerateMelody
from consort_compose.composer.melody.service import run_generate_melody
from consort_music.errors import MusicError


def test_a_conflict_can_be_sent_by_a_child_process() -> None:
    body = GenerateMelody.model_validate({"key": "C major", "length_measures": 4, "start_note": "F#4"})
    with pytest.raises(MusicError) as raised:
        run_generate_melody(body)
    received = pickle.loads(pickle.dumps(raised.value))
    assert type(received) is type(raised.value)
    assert vars(received) == vars(raised.value) and str(received) == str(raised.value)
