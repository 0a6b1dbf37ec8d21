"""Read and write Standard MIDI Files without loss, pair their notes, and summarise them.

    model             `MidiFile`, tracks, and events as tuples `(tick, status, data)`
    reader            convert bytes to a `MidiFile`, within limits
    events            read the events of one track: the inner loop of the reader
    writer            convert a `MidiFile` to bytes
    notes             pair note-ons with note-offs
    tempo_map         tempo changes, and time in milliseconds
    time_signatures   metres and bars
    key_signatures    keys
    measure_numbers   the measure numbers that are printed in music
    rights            notes about the rights of library pieces
    track_names       names of tracks, and tracks found by name or number
    track_events      the events of a track by kind, and the programs of channels
    state_keys        the values that a device remembers: programs, controllers
    bar_window        convert bar numbers to beats
    summary           describe a file
    file_names        file suffixes and media type

Reading and writing take linear time. A track that was read is immutable and keeps its bytes, so an unchanged track is
written back byte for byte. Damage that a DAW would accept becomes a warning. Dense files consist mostly of messages
with two data bytes; `events` reads runs of such messages in special loops. A file of 100 KB is read and summarised in
about 4 ms.

Tests compare the results with mido, and `consort bench midi` compares the speed. mido is not used at run time: it is
many times slower, loses events, and takes quadratic time on some inputs.

Reference: Standard MIDI Files 1.0, MIDI Manufacturers Association (RP-001).
"""
