"""The code_sha256 of a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any

from .languages import PYTHON, find_language

_SHORT_TEXT_BYTES = 8192


def code_sha256(
    code: str, language: str, file: str = "", files: Mapping[str, str] | None = None
) -> str:
    """Return the code_sha256 of a program: the SHA-256 of its text.

    For languages other than Python the name and a zero byte come before the text, since a text may
    be a program in several languages. The names and texts of its files, where it has any, follow.
    """
    language_record = find_language(language) or PYTHON
    prefix = "" if language_record is PYTHON else f"{language_record.name}\0"
    suffix = "".join(f"\0{name}\0{text}" for name, text in sorted((files or {}).items()))
    if file:
        suffix = f"\0{file}{suffix}"
    return _hash_text((prefix + code + suffix).encode("utf-8", "surrogatepass"))


def _load_own_sha256() -> Callable[[bytes], Any]:
    for name in ("_sha2", "_sha256"):  # since Python 3.12, and before
        with suppress(ImportError):
            sha256: Callable[[bytes], Any] = import_module(name).sha256
            return sha256
    from hashlib import sha256 as openssl_sha256  # an interpreter without functions of its own

    return openssl_sha256


_own_sha256 = _load_own_sha256()


def _hash_text(text: bytes) -> str:
    """Return the SHA-256, for short texts by Python's own implementation. OpenSSL, which hashlib
    loads, takes 3.6 MiB of each worker and only pays off for long texts."""
    if len(text) <= _SHORT_TEXT_BYTES:
        return str(_own_sha256(text).hexdigest())
    import hashlib

    return hashlib.sha256(text).hexdigest()
