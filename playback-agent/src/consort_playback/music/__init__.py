"""Converts the user's music and positions to the data that a port process plays. Pure functions, run by the agent.

The music is compiled by `consort_music.performance`, which rendering to sound uses too.

- `text_to_midi`: MIDI text or a note list becomes the bytes of a MIDI file.
- `immediate_messages`: a few notes and settings for `send_midi`, compiled the same way.
- `start_and_loop`: makes the commands for the start position, the loop and the speed of a session.
"""
