"""What the writers of notation share, in the order in which music passes through it.

notated_score        a score as it is to be engraved: parts, staves, voices, chords
lyrics               put syllables under notes
instrument_writing   clefs, transposition and staves of instruments
drum_staff           places and note heads of drums
staff_voices         prepare the voices of a staff: drums, swing, idle second voices
tablature            strings and frets on a tablature staff
divisions            find ticks in which every time of a score is whole
voice_separation     divide the notes of a part into voices without overlaps
note_values          split lengths into tied note values and tuplets
beams                which notes share a beam
written_bars         the note values, ties and beams of each bar
bar_text             describe a notated score bar by bar in short text
"""
