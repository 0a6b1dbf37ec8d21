"""Pieces of music21's corpus as a library, and the music formats that only music21 reads.

A piece is named by a reference, `corpus:bach/bwv66.6`, with bars if only a part is wanted: `corpus:bach/bwv66.6#1-4`.
Tools accept a reference wherever they accept the id of music.

- `references`: the text of a reference
- `catalogue`: what is in the library; search by words, key, metre, parts and length
- `piece_reading`: read a piece. MusicXML and ABC are read by our own readers, in milliseconds
- `other_formats`: Humdrum kern, MEI, MuseData, RomanText, TinyNotation and Capella, read by music21 in a child
  process, which takes about a second
- `service`, `routes`, `models`: the tool `find_scores`

music21 is installed by `consort up` into a folder of its own, because only this package uses it, and only in child
processes. The catalogue (`catalogue.tsv.gz`) is made by `benchmarks/training/make_score_catalogue.py`, because reading
all 15,000 pieces takes minutes.
"""
