"""The names of voices in previews, MIDI files and renders: labels, or the ids of analyze_song_structure."""

import pytest

from consort_strudel.events.voices import VoiceFinder
from consort_strudel.structure import structure_of
from tests.support.strudel_engine import RunningEngine


@pytest.mark.parametrize(
    ("script", "names"),
    [
        ('a: s("bd")\n$: s("sd")\n$: s("hh")', ["a", "voice_2", "voice_3"]),
        ('_a: s("bd")\n$: s("sd")', ["voice_2"]),
        ('stack(s("bd"), note("c2"))', ["voice_1", "voice_2"]),
        ('const drums = s("bd")\nconst bass = note("c2")\nstack(drums, bass)', ["drums", "bass"]),
        ('kick: s("bd")\nkick: s("bd*2")', ["voice_1", "voice_2"]),
    ],
)
def test_a_voice_has_one_name_in_all_tools(engine: RunningEngine, script: str, names: list[str]) -> None:
    facts = engine.parse(script)
    assert [voice.name for voice in VoiceFinder(facts).voices] == names
    known = {each for voice in structure_of(facts).structure.voices for each in (voice.id, voice.name)}
    assert set(names) <= known
