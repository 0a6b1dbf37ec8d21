"""Sample packs that are known by address: which sounds each one gives."""

from consort_strudel.packs.known_packs import KnownPack, known_packs, pack_at

__all__ = ["KnownPack", "known_packs", "pack_at"]
