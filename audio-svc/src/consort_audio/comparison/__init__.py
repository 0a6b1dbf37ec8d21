"""Compare a take with what was expected, or with another take.

reference/   the notes that were expected
take/        the notes that were played, from audio or MIDI
align/       which played note belongs to which expected one
asked_bars   leave out what was played of other bars than the asked ones
played_octave   a scale in the octave in which it was played
faults/      what was wrong, how severe it is, scores, and what to practise
report/      the picture of practice_report
midi_packing MIDI files as text, for a worker
two_takes    compare two recordings
outcome      a judged take as the fields of an answer
answer       what runs in a worker
service      fetch the music of a reference, and store the picture
models, routes   the tools compare_to_reference, compare_audio and practice_report
"""
