"""Music as data: pitch, duration, beats, General MIDI and MIDI files, with nothing but the standard library.

Import the module you need (`from consort_music.pitch import Pitch`): nothing is re-exported here, so that a
service which only parses pitches does not pay for the MIDI codec. Whatever cannot be understood raises
`consort_music.errors.MusicError`, whose message tells an assistant what to change.
"""
