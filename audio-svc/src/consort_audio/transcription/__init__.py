"""Notes of a recording as a MIDI file: the tool transcribe_audio.

- `polyphonic`: the notes of any instrument, decoded from the probabilities of the network basic-pitch
- `hearing`: choose the method by what is heard, and hear the notes
- `note_grid`: beats of the notes from the tempo, and quantisation
- `midi_file`: write the MIDI file, and its first notes as text
- `answer`: do the work in a worker
- `service`: store the MIDI file
"""
