"""Converts the user's music and positions to the data that a port process plays. Pure functions, run by the agent.

- `text_to_midi`: MIDI text or a note list becomes the bytes of a MIDI file.
- `compiled_music`: a MIDI file becomes arrays of messages with their exact times.
- `immediate_messages`: a few notes and settings for `send_midi`, compiled the same way.
- `positions`: reads positions such as `9:1` or `5000 ms`.
- `clock`: converts between ticks, nanoseconds and bars.
- `mute_solo`: finds the tracks that are silent because of mute and solo.
- `device_state`: the programs, controllers and so on that a device needs at a start position (event chasing).
- `start_and_loop`: makes the commands for the start position, the loop and the speed of a session.
- `count_in`: the clicks before the music.
"""
