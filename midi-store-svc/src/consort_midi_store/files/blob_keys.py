"""The keys under which the bytes of files are stored."""

import hashlib


def blob_key(file_id: str, sha256: str) -> str:
    return f"midi/{file_id}/{sha256}.mid"


def sha256_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
