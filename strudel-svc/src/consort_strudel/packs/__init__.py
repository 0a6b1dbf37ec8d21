"""Sample packs that are known by address: which sounds each one gives, what it is for, whether it is licensed.

- `known_packs.json`: facts read from the packs (address, commit, licence, sounds with their number of samples)
- `descriptions.toml`: what each is for, in our own words
- `known_packs`: both as records, by address and by sound
"""

from consort_strudel.packs.known_packs import KnownPack, known_packs, pack_at, packs_with_sound

__all__ = ["KnownPack", "known_packs", "pack_at", "packs_with_sound"]
