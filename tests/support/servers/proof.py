"""The proof that a hand-made server must give before a service's client talks to it."""

from consort_kit.http.server_proof import PATH, proof_of


def answer_to_challenge(head: bytes, token: str) -> bytes | None:
    """Return the answer to a request for the proof, or None if this is the head of another request."""
    if not head.startswith(f"GET {PATH} ".encode()):
        return None
    challenge = head.partition(b"consort-challenge: ")[2].partition(b"\r\n")[0].decode()
    return b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconsort-proof: " + proof_of(token, challenge) + b"\r\n\r\n"
