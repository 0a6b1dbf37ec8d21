"""The composer: tools that write and analyze music. Every result is a score with an id.

A tool reads its music (`music_sources`), runs an engine, and returns data, warnings and the id of a stored score
(`service`). The engines are pure functions on a `consort_music.score.Score`. They import neither the web framework nor
the database. A score has parts, and a part has notes with exact times in quarter notes. Rests are the gaps between
notes, and tied notes are one note. A score also has metres, keys, tempos and chord symbols.

Shared by the tools:

    fields          input fields that several tools have
    music_sources   read the caller's music: typed text, or the id of a score, song or MIDI file
    music_reading   parse typed music and MIDI; runs in a child process if the input is large
    service         the steps of every tool
    models          the output of every tool
    score_formats   write a score as note list, MusicXML or note objects
    tonality        find the key of a score
    voice_ranges    the ranges of soprano, alto, tenor and bass
    voice_leading   score the voice leading of any number of voices, and list its faults

Tools:

    melody/          write a melody
    phrases/         transform a phrase
    counterpoint/    add a voice
    species_marking/ mark an exercise in species counterpoint
    harmony/         harmonize a melody, analyze harmony
    voicings/        voice a chord or a progression
    export/          store a score as a MIDI file
"""
