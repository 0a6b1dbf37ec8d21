"""Music, independent checkers and processes that both the tests and the benchmarks use.

This package imports neither `tests` nor `benchmarks`.

- `corpora`: music as input: chorales, folk tunes, cantus firmi, chord symbols, invalid MIDI files.
- `checkers`: second implementations of rules and readers, independent of the code that they check.
- `engine_runs`: run an engine on one item of a corpus and return the result.
- `processes`: start and stop servers in separate processes: services, Postgres, JACK, the playback agent.
- `sounds`: sounds with known truth, split into those for tuning and those for figures.
- `strudel_scripts`: Strudel scripts: valid, labelled, and broken on purpose.
- `strudel_knowledge`: code with its meaning, requests for clips, and tagged clips, all written blind.
- `mcp_answers`: read the results of MCP tool calls.
- `studio_content`: everything that a studio keeps, to compare two studios.
"""
