"""Stored audio files: each has a row in Postgres, and its bytes in a blob.

- `models`: the inputs and results of the tools
- `store`: all SQL for the tables `files` and `uploads`
- `time_ranges`: convert a range of times to frames
- `children`: run a function of `codecs` in a child process
- `library`: add a file, find it, and lend its bytes as a local file
- `derived`: what is made from a file on request and then kept: other formats, and the outline for its waveform
- `part_file`: the bytes of an upload that is not complete, which only one request at a time may change
- `content_range`: read the header by which a piece of an upload says its place
- `uploads`: receive files in one or many requests, and continue after an interruption
- `segments`: cut a part out of a file
- `service`: do the work of the other tools
- `routes`: the tools; `transfer_routes`: download and upload bytes
"""
