"""The same behaviours in every language that is compiled: behaviour -> language -> program."""

from __future__ import annotations

from tests.files import read_table

_TABLE = read_table(__file__)
_HEADERS: dict[str, str] = _TABLE.pop("headers")
# What a compiler is fed: name -> language, code, a part of its message.
BOMBS: dict[str, dict[str, str]] = {
    **_TABLE.pop("bombs"),
    "nested without end": {"language": "javascript", "code": "[" * 3_000_000, "message": ""},
}
PROGRAMS: dict[str, dict[str, str]] = {
    behaviour: {
        language: code.replace('#include "all.h"\n', _HEADERS.get(language, ""))
        for language, code in programs.items()
    }
    for behaviour, programs in _TABLE.items()
}
SUM = PROGRAMS["sum"]
