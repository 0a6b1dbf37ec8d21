"""Find sample packs: what they are for, how they are loaded, what of them plays offline.

- `search`: packs by filters and by a wish in words
- `models`, `service`, `routes`: the tool query_packs

The packs themselves are in `consort_strudel.packs`. Patterns of callers run in RE2 instead of Postgres: packs do not
change while the service runs, so they are in no table, and RE2 needs no time limit.
"""
