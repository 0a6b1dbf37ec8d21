"""Pictures of audio: waveform and spectrogram, with notes, beats, chords and faults drawn in where they are known.

In the service:

- `models`: the input of render_waveform
- `routes`: the tool, and the route that a link to a picture uses
- `service`: find the file and what is known about it, and have its picture drawn
- `known_music`: the music that a file was rendered from
- `known_analyses`: what the listening tools have heard in it
- `picture_request`, `child_calls`: what a child process is to draw

In a child process:

- `overlay/`: known things with their times; those of rendered music, and those of analyses
- `measuring/`: envelope and spectrogram of a file, block by block (numpy)
- `drawing/`: the picture as SVG

Cost on one core: 3 minutes of stereo take about 2.5 s, 2 hours 23 s, of which decoding FLAC is 10 s. Both take 60 MB,
because a file is read in blocks, and columns and rows are pixels. There is no cache: music that is drawn in may change.
"""
