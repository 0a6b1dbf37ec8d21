"""The parts of `consort bench midi`.

- `codec`: reading, changing and writing files, compared with mido; hostile files.
- `service`: midi-store over HTTP.
"""
