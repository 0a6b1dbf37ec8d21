"""Twelve jobs of a musician, done over MCP as an assistant does them.

- `session`: one client, which counts calls, errors and bytes.
- `writing`: a waltz, a tune in four styles, a song with a bridge, a beat edited while it loops, a big song.
- `files`: a messy file tidied, ABC made into MIDI, a file split, humanized and merged.
- `studying`: a student's counterpoint marked, chords voiced for guitar and choir.
- `hearing`: what plays, stopping it, a device that is missing.
- `mistakes`: sixty wrong calls; the text of each error must name the way out.
"""
