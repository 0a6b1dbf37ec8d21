"""`consort bench musicxml`: do other programs open our MusicXML?

- `pieces`: 50 pieces of many kinds
- `musescore`: open files with MuseScore and collect what it says
"""
