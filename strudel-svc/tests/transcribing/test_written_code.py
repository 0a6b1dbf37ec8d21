"""How music looks as code."""

from fractions import Fraction
from typing import Any

import pytest

from consort_music.errors import MusicError
from consort_music.midi.writer import write_midi
from consort_music.note_sequence.midi_text import read_midi_text
from consort_music.note_sequence.to_midi_file import sequence_to_midi
from consort_strudel.transcribing.grid import grid_name
from consort_strudel.transcribing.read_music import MusicChoice
from consort_strudel.transcribing.service import Transcript, transcribe
from consort_strudel.transcribing.write_script import WritingOptions

SCALE = "C4 80 0\nD4 80 1\nE4 80 2\nF4 80 3\nG4 80 4\nA4 80 5\nB4 80 6\nC5 80 7\n"


def music_of(notes: str, **fields: Any) -> Transcript:
    found = read_midi_text(f"tempo 120\ntime 4/4\ntrack Lead Flute\n{notes}")
    assert not found.errors
    return transcribe(write_midi(sequence_to_midi(found.music)), MusicChoice(**fields), WritingOptions())


def code_of(notes: str, head: str = "track Lead Flute", tempo: str = "tempo 120\ntime 4/4", **fields: Any) -> list[str]:
    """Return the lines of the code, without comments and empty ones."""
    choice = {name: fields.pop(name) for name in ("tracks", "first_bar", "last_bar", "grid") if name in fields}
    found = read_midi_text(f"{tempo}\n{head}\n{notes}")
    assert not found.errors
    content = write_midi(sequence_to_midi(found.music))
    script, _ = transcribe(content, MusicChoice(**choice), WritingOptions(**fields))
    return [line for line in script.splitlines() if line and not line.startswith("//")]


def pattern_of(notes: str, **fields: Any) -> str:
    """Return the first string of the first voice."""
    voice = code_of(notes, pitches="names", **fields)[-1]
    return voice.split('"')[1]


def test_tempo_and_voice_are_labelled_statements() -> None:
    assert code_of(SCALE) == [
        "setcpm(120/4)",
        'lead: n("<[0 1 2 3] [4 5 6 7]>").velocity(.63).scale("C4:major").s("gm_flute")',
    ]


def test_pitches_may_be_names() -> None:
    assert pattern_of(SCALE) == "<[c4 d4 e4 f4] [g4 a4 b4 c5]>"


def test_lengths_are_weights_and_beats_are_divided() -> None:
    assert pattern_of("C4 80 0 1\nD4 80 1 1/2\nE4 80 3/2 1/2\nG4 80 2 2\n") == "c4 [d4 e4] g4@2"


def test_triplets_are_three_in_a_beat() -> None:
    assert pattern_of("C4 80 0 1/3\nD4 80 1/3 1/3\nE4 80 2/3 1/3\nG4 80 1 3\n") == "[c4 d4 e4] g4@3"


def test_chords_and_voices_are_stacked() -> None:
    notes = "C4 80 0 2\nE4 80 0 2\nG4 80 2 2\nC3 80 0 4\n"
    assert pattern_of(notes) == "[c4,e4] g4, c3"


def test_notes_that_ring_over_the_bar_line_say_how_long() -> None:
    assert pattern_of("C4 80 0 2\nD4 80 2 4\nE4 80 6 2\n") == "<[c4 d4:2] [~ e4]>"


def test_repeats_are_folded() -> None:
    same = "".join(f"C4 80 {beat} 1\n" for beat in range(16))
    assert pattern_of(same) == "c4*4"
    alternating = "".join(f"{'CD'[beat // 4 % 2]}4 80 {beat} 4\n" for beat in range(0, 32, 4))
    assert pattern_of(alternating) == "<c4 d4>"


def test_phrases_that_return_are_constants() -> None:
    phrase = ("C4", "E4", "G4", "B4", "A4", "F4", "D4", "C5", "G4", "F#4", "E4", "D#4", "D4", "C#4", "C4", "B3")
    middle = ("E5", "D5", "C5", "B4", "A4", "G4", "F4", "E4", "D4", "E4", "F4", "G4", "A4", "B4", "C5", "D5")
    tune = [*phrase, *middle, *phrase, *middle[::-1], *phrase]
    lines = code_of("".join(f"{name} 80 {beat} 1\n" for beat, name in enumerate(tune)))
    assert lines[1].startswith("const lead_a = ")
    assert any(line.count("[4, lead_a]") == 3 for line in ["".join(lines[2:])])


def test_each_drum_has_its_lane() -> None:
    hits = (
        "".join(f"kick 100 {beat} 1/4\nhat 70 {beat}+1/2 1/4\n" for beat in range(4))
        + "snare 90 1 1/4\nsnare 90 3 1/4\n"
    )
    lines = code_of(hits, "track Drums drums")
    assert lines[1:] == [
        "drums: stack(",
        '  s("bd*4").duration(1/16).velocity(.79),',
        '  s("[~ sd]*2").duration(1/16).velocity(.71),',
        '  s("[~ hh]*4").duration(1/16).velocity(.55),',
        ")",
    ]


def test_velocity_is_a_pattern_if_it_changes() -> None:
    lines = code_of("C4 127 0\nC4 64 1\nC4 127 2\nC4 64 3\n")
    assert '.velocity("[1 .5]*2")' in lines[1]
    assert ".velocity" not in code_of("C4 127 0\nC4 64 1\n", velocity="none")[1]


def test_changes_of_tempo_are_a_silent_voice() -> None:
    lines = code_of(SCALE, tempo="tempo 120\ntempo 90 4\ntime 4/4")
    assert lines[:2] == ["setcpm(120/4)", 'tempo: cps("<120 90>".div(240)).gain(0)']


def test_changes_of_metre_are_shorter_cycles() -> None:
    notes = SCALE + "C4 80 8\nD4 80 9\nE4 80 10\n"
    assert pattern_of(notes, tempo="tempo 120\ntime 4/4\ntime 3/4 8") == "<[c4 d4 e4 f4] [g4 a4 b4 c5] [c4 d4 e4]@0.75>"


def test_a_cycle_is_a_bar_of_any_metre() -> None:
    assert code_of("C4 80 0\nD4 80 1\nE4 80 2\n", tempo="tempo 90\ntime 3/4")[0] == "setcpm(90/3)"


def test_a_pickup_fills_the_end_of_a_whole_cycle() -> None:
    notes = "G4 80 0\nC4 80 1\nD4 80 2\nE4 80 3\nF4 80 4\n"
    assert pattern_of(notes, tempo="tempo 120\ntime 1/4\ntime 4/4 1") == "<[~@3 g4] [c4 d4 e4 f4]>"


def test_shortened_notes_have_their_full_length() -> None:
    notes = "".join(f"{name} 80 {beat} 0.9\n" for beat, name in enumerate(("C4", "D4", "E4", "F4")))
    assert pattern_of(notes) == "c4 d4 e4 f4"


def test_music_played_off_the_grid_keeps_its_lengths() -> None:
    music = music_of("C4 80 .03 3.9\nE4 80 1.02 2.1\nG4 80 2 4\n").music
    notes = music.tracks[0].notes
    assert [(float(note.start), float(note.length)) for note in notes] == [(0, 4), (1, 2), (2, 4)]
    assert music.moved == 2
    assert music.warnings[1:] == (
        "2 notes moved by up to 0.03 beats from where the file has them.",
        "1 note became up to 0.10 beats longer than in the file.",
        "1 note became up to 0.10 beats shorter than in the file.",
    )


def test_a_staccato_voice_is_clipped() -> None:
    notes = "".join(f"{name} 80 {beat} 0.1\n" for beat, name in enumerate(("C4", "D4", "E4", "F4")))
    assert code_of(notes)[-1] == 'lead: note("c4 d4 e4 f4").velocity(.63).clip(.1).s("gm_flute")'
    assert music_of(notes).music.warnings == ()


def test_single_staccato_notes_are_short_and_what_they_gain_is_said() -> None:
    notes = "".join(f"{name} 80 {beat} {(0.1, 1)[beat % 2]}\n" for beat, name in enumerate(("C4", "D4", "E4", "F4")))
    assert pattern_of(notes) == "[c4 ~@3] d4 [e4 ~@3] f4"
    assert music_of(notes).music.warnings == ("2 notes became up to 0.15 beats longer than in the file.",)


@pytest.mark.parametrize("notes", ["G2 D2 G2", "C4 D4 E4 F4", "C4 D4 E4 F4 G4 A4", "C4 C#4 D4 D#4 E4 F4 F#4 G4 G#4"])
def test_a_key_that_is_not_clear_is_not_claimed(notes: str) -> None:
    found = music_of("".join(f"{name} 80 {beat}\n" for beat, name in enumerate(notes.split())))
    assert found.music.key is None and ": note(" in found.script


def test_the_key_of_the_whole_file_counts_for_a_track() -> None:
    lines = code_of(f"{SCALE}track Low Bass\nC2 80 0\nG2 80 1\n", tracks=("Low",))
    assert lines[-1].startswith('low: n("0 4 ~@2")') and '.scale("C2:major")' in lines[-1]


@pytest.mark.parametrize(
    ("step", "name"), [("1", "1/4"), ("1/2", "1/8"), ("1/3", "1/8t"), ("1/12", "1/32t"), ("1/5", "1/20"), ("4", "1")]
)
def test_grids_are_named_by_note_values(step: str, name: str) -> None:
    assert grid_name(Fraction(step)) == name


def test_tracks_bars_and_grid_can_be_chosen() -> None:
    two = f"{SCALE}track Bass Bass\nC2 80 0 8\n"
    assert [line.partition(":")[0] for line in code_of(two, tracks=("Bass",))[1:]] == ["bass"]
    assert pattern_of(SCALE, first_bar=2, last_bar=2) == "g4 a4 b4 c5"
    assert pattern_of("C4 80 0 1\nD4 80 1.1 1\n", grid="1/4") == "c4 d4 ~@2"
    with pytest.raises(MusicError, match="bars 1 to 2"):
        code_of(SCALE, first_bar=5)


def test_names_of_tracks_become_different_labels() -> None:
    lines = code_of('C4 80 0\ntrack Lead Flute\nE4 80 0\ntrack "2nd new!" Violin\nG4 80 0\ntrack new Violin\nG4 80 0\n')
    assert [line.partition(":")[0] for line in lines[1:]] == ["lead1", "lead2", "part_2nd_new", "part_new"]
