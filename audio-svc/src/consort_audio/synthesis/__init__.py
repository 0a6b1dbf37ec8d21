"""Render music to sound with FluidSynth.

In the service:

- `models`: the tool midi_to_audio
- `routes`: the tool
- `chosen_tracks`: the tracks that a request mutes and solos
- `render_names`: names and descriptions by which renders can be told apart
- `service`: fetch the music, submit the render as a job, and add the result to the audio files
- `render_pool`: the render processes: start, use, replace and end them

In a render process, which imports numpy and FluidSynth:

- `render_program`: the program; it renders one piece after another
- `render_audio`: the two passes of a render: synthesize and measure, then set the level and encode
- `played_part`: which part of the music is played, and when
- `timed_messages`: a MIDI file and the wishes of the user become messages with times
- `soundfont_renderer`: messages with times become blocks of sound

In both:

- `render_options`: what to render and how, and what came out
- `frames`: the frames that service and render process exchange over pipes

A render process loads the soundfont once. FluidSynth decodes the samples of a program when the program is first used,
and they then stay in memory: a piano of MuseScore_General takes 1.6 s of CPU, other programs 0.02 to 0.15 s; all at
once would take 5 s and 200 MB. Each piece gets a new synth with the loaded font, so nothing is left over from the piece
before it, and equal input gives equal bytes. Sound is written to a temporary file as it is made, so memory does not
grow with the length. FluidSynth starts notes at multiples of 64 frames (1.5 ms at 44.1 kHz).
"""
