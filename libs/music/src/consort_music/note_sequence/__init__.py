"""Music as tracks of notes in exact beats. A MIDI file has events in ticks; a score also has spelled pitches and bars.

`model`            the `NoteSequence`, its tracks and its notes
`midi_text`        read and write the MIDI text format: a sequence as plain lines
`to_midi_file`     convert a sequence to a MIDI file
`channels`         assign a MIDI channel and program changes to each track
`resolution`       find the ticks per beat at which all beats are exact
`from_midi_file`   convert the notes of a MIDI file to a sequence
"""
