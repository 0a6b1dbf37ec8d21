"""MIDI files as text: read the notes of a file (read_midi_notes) and make a file from text (validate_midi).

- `models`: the inputs and results of both tools
- `routes`: the tools
- `service`: find or store the files, and run the work in a child process if the input is large
- `note_pages`: select the notes of a file and return one page of them
- `text_to_midi`: make a file from MIDI text, a note list, ABC or MusicXML
"""
