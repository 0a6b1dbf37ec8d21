"""Music as data: pitches, keys, chords, rhythm, scores, notation and MIDI files, with the standard library only.

Pitch and harmony
    pitch             spelled pitches: `F#4`
    intervals         intervals between pitches: `P5`
    keys              keys, their scales and signatures, and the spelling of notes in a key
    key_finding/      the key of pitch classes, of a melody, of voices, and of any timed notes
    transposition     transpose keys and note names, and choose readable spellings
    chords/           chord symbols: `Bbm7b5/E`

Rhythm
    beats             exact beats: read `9 + 1/3`, write beats, round to ticks
    duration          note values: `q`, `dotted half`
    metre             time signatures: bar length, beats, strong beats
    bars              convert between times and bar numbers
    printed_measures  the measure numbers that a source prints
    measure_ranges    read and write measure ranges: `5-8`
    timing/           quantize, swing, humanize, and resolve overlaps of moved notes

Instruments
    instruments       General MIDI instruments by name
    drum_names        drums by name
    frets/            fretted instruments: tunings, tablature, chord shapes

Music as a whole
    score             a notated score: parts of spelled notes, metres, keys, chords
    score_json        a score as JSON
    notation/         readers and writers of MusicXML, ABC and note lists; scores to and from MIDI
    note_sequence/    tracks of notes in beats; the MIDI text format
    midi/             Standard MIDI Files: reader, writer, notes, summary
    performance/      messages with exact times, for playback and rendering: count-in, mute, start in the middle
    piano_roll/       a MIDI file as an SVG picture
    pictures/         what all pictures share: SVG, colours, title and legend, time axis
    synth/            find FluidSynth and soundfonts; send MIDI messages to FluidSynth (needs pyfluidsynth)

Helpers
    errors            `MusicError`, the exception of the library
    fields            Pydantic field types (needs Pydantic)
    music_ids         ids of music: the service and route of each kind, and the tools for it
    gc_pause, plurals, unused_names, xml_escapes

Nothing is re-exported here: import the module you need, so that a service that parses pitches does not load the MIDI
reader. Input that cannot be understood raises `consort_music.errors.MusicError`; its message says what to change.
"""
