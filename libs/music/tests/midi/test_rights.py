"""Notes about the rights of library pieces, in MIDI files made of them."""

from consort_music.midi.model import END_OF_TRACK, META, MidiFile
from consort_music.midi.reader import read_midi
from consort_music.midi.rights import rights_notes, with_rights
from consort_music.midi.summary import summarize
from consort_music.midi.writer import write_midi
from consort_music.notation.from_midi import score_from_midi
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.to_midi import score_to_midi

NOTE = "Rights of corpus:folk/1, says its source: © Ä. Müller, for non-commercial use."


def test_a_note_survives_in_the_file_and_is_reported() -> None:
    file = read_midi(write_midi(with_rights(score_to_midi(parse_note_list("C4:q D4:q")), NOTE)))
    assert rights_notes(file.tracks) == [NOTE]
    assert summarize(file).warnings == [NOTE]
    assert score_from_midi(file)[1] == [NOTE]


def test_copyright_of_other_files_is_not_repeated() -> None:
    track = [(0, META, b"\x02Copyright 1999 Somebody"), (0, META, END_OF_TRACK)]
    assert rights_notes(MidiFile(1, 480, [track]).tracks) == []
