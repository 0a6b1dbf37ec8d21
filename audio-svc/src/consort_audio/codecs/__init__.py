"""Decode, encode and measure audio files. Only `formats`, `facts` and `child_calls` are
imported by the service itself; the rest runs in child processes, which import numpy.

A file is read and written in blocks, so that memory stays small however long it is. A block is a float32 array with one
row per frame and one column per channel; full scale is 1. Every error is a `MusicError`.

- `formats`: the formats that are known, and which of them a file has by its first bytes
- `audio_errors`: the errors about audio files
- `samples`: the type of a block
- `decoding`: open a file and yield its blocks; soundfile reads wav, flac, ogg, opus, mp3 and aiff, PyAV the others
- `soundfile_reader`, `av_reader`: the two readers
- `encoding`: write blocks to a wav, flac, ogg or mp3 file
- `loudness`: loudness (BS.1770-4) and the highest sample
- `limiter`: turn down peaks that are too loud
- `facts`, `inspect_audio`: check a whole file and measure it
- `child_calls`: what the service calls; it imports nothing heavy before the call
- `cut`, `convert`, `peaks`: a part of a file, another format, and the outline for a waveform
"""
