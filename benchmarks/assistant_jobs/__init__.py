"""Twelve jobs of a musician, done over MCP as an assistant does them.

- `session`: an MCP client that counts calls, errors and bytes.
- `writing`: write a waltz, a tune in four styles, a song with a bridge, a beat that loops, a big song.
- `files`: tidy a messy file, convert ABC to MIDI, split, humanize and merge a file.
- `studying`: mark a student's counterpoint, voice chords for guitar and choir.
- `hearing`: play music, ask what plays, stop it, name a missing device.
- `mistakes`: make sixty wrong calls; each error must say how to correct the call.
"""
