"""JSON-like values as lines of files, and hashes of them and of names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from microcoder_sandbox import codec

# json.dumps would make one for each value.
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def solution_key(problem_id: str, solution_id: str) -> bytes:
    """Return 16 bytes that stand for a solution, so that sets of millions fit in memory."""
    import hashlib  # late: it loads OpenSSL, 3.6 MiB of each worker, which needs none of this

    names = f"{len(problem_id)}:{problem_id}{solution_id}"
    return hashlib.blake2b(names.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def encode_line(fields: Mapping[str, Any], *, allow_nan: bool) -> bytes:
    """Encode an object as a line of a file, without its line end: valid UTF-8, and valid JSON but
    for NaN and Infinity where ``allow_nan`` is set."""
    try:
        text = json.dumps(fields, ensure_ascii=False, allow_nan=allow_nan, default=dict)
    except ValueError:  # such a number, or an integer too long for str()
        text = json.dumps(_tag_numbers(fields), ensure_ascii=False)
    try:
        return text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, legal in JSON only as an escape
        return json.dumps(json.loads(text)).encode()


def _tag_numbers(value: Any) -> Any:
    """Return the value with the codec's tags in place of numbers that JSON cannot hold."""
    if isinstance(value, Mapping):
        return {key: _tag_numbers(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_tag_numbers(item) for item in value]
    return codec.to_json(value) if isinstance(value, int | float) else value


def sha256_of(value: object) -> str:
    """Hash a JSON-like value, independently of the order of keys."""
    import hashlib

    return hashlib.sha256(encode_canonical(value)).hexdigest()


def encode_canonical(value: object) -> bytes:
    """Encode a JSON-like value as bytes, independently of the order of keys."""
    return _ENCODER.encode(value).encode()
