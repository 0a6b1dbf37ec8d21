"""Sample packs that are known by address: which sounds each one gives, what it is for, whether it is licensed.

- `known_packs.json`: facts read from the packs (address, commit, licence, sounds with their number of samples)
- `descriptions.toml`: what each is for, in our own words
- `known_packs`: both as records, by address and by sound
- `search`: packs by filters and by a wish in words
- `models`, `service`, `routes`: the tool query_packs

Patterns of callers run in RE2 instead of Postgres: the packs never change while the service runs, so they are in no
table, and RE2 needs no time limit.
"""

from consort_strudel.packs.known_packs import KnownPack, known_packs, pack_at, packs_with_sound

__all__ = ["KnownPack", "known_packs", "pack_at", "packs_with_sound"]
