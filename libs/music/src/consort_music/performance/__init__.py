"""Turn a MIDI file into messages with exact times, as playback and rendering to sound need them.

positions         read positions such as `9:1` or `5000 ms`
clock             convert between ticks, nanoseconds and bars
compiled_music    a MIDI file as arrays of messages with their times
mute_solo         the tracks that are silent because of mute and solo
device_state      the programs, controllers and so on that a device needs at a start position (event chasing)
clicks            the clicks of a count-in and of a metronome
"""
