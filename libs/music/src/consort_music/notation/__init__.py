"""Read and write MusicXML, ABC and note lists, and convert scores to and from MIDI files.

    read_music             detect the format of a text and read it
    note_list              read and write `C4:q D4:q E4:h`
    abc/                   read and write ABC notation
    musicxml/              read and write MusicXML
    score_builder          build a score from the measures that the ABC and MusicXML readers collect
    score_bars             cut bars out of a score
    omissions              warnings about what a reader left out
    limits                 limits of the readers
    performance_to_score/  read performances as scores
    midi_lyrics            the lyrics of a MIDI file, below its notes
    from_midi, to_midi     convert MIDI files to scores, and scores to MIDI files
    writing/               what the writers share: notated scores, voices, note values, beams, tablature
    score_arranging        prepare a notated score for engraving: parts, bars, hands on two staves, names

Every reader returns and every writer takes a `consort_music.score.Score`, in which times are exact, rests are implied
and tied notes are merged. The MusicXML writer also takes a `NotatedScore`.

- Reading: the readers collect measures, and `score_builder` aligns the parts measure by measure. A short first measure
  is a pickup. After an irregular measure the metre is stated again, which is how a `Score` marks the start of a bar.
  Repeats are not expanded. A warning says what was left out, how often, and in which measures.
- Writing: `voice_separation` assigns notes to voices by greedy first fit, sorted by start. `note_values` writes a
  length as one value, unless that hides a stronger beat; then the length is split there, recursively, and tied. Tuplets
  are split at beats unless their notes are equal.
- Performed MIDI files are read as scores by `performance_to_score`.

Time is linear in the number of notes. Tests compare with music21: it reads what we write as the same music, and both
read its corpus in the same way (`consort bench compose` counts these files).

References: MusicXML 4.0 (W3C); the ABC music standard 2.1.
"""
