"""Hashes of JSON-like values and of names."""

from __future__ import annotations

import json

# json.dumps would make one for each value.
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def solution_key(problem_id: str, solution_id: str) -> bytes:
    """Return 16 bytes that stand for a solution, so that sets of millions fit in memory."""
    import hashlib  # late: it loads OpenSSL, 3.6 MiB of each worker, which needs none of this

    names = f"{len(problem_id)}:{problem_id}{solution_id}"
    return hashlib.blake2b(names.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def sha256_of(value: object) -> str:
    """Hash a JSON-like value, independently of the order of keys."""
    import hashlib

    return hashlib.sha256(encode_canonical(value)).hexdigest()


def encode_canonical(value: object) -> bytes:
    """Encode a JSON-like value as bytes, independently of the order of keys."""
    return _ENCODER.encode(value).encode()
