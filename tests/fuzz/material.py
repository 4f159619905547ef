"""What the fuzz tests throw: arbitrary bytes, JSON texts, and valid messages that were damaged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from microcoder_sandbox.wire import codec

# An example that takes this long hangs; less is the other work of a busy machine.
unhurried = settings(deadline=20_000)
TAGS = (*sorted(codec.TAGS), "$deque", "$range", "$type", "$list_node", "$tree_node", "$handle",
        "$collection", "$value", "$same")  # fmt: skip
# Pieces that parsers stumble over: nesting, long numbers, half of a surrogate pair, no number.
_TEXTS = (
    "[" * 2000, '{"$tuple":[' * 300, "9" * 5000, "-", "1e999999", "0." + "3" * 5000, "NaN",
    "-Infinity", '"\\ud800"', '"\\udc00\\ud800"', '"', "\\", "\x00", "{}", "[]", "null", "true",
    '{"a":1,"a":2}', '{"$int":"0x' + "f" * 5000 + '"}', '{"$int":"-0x1"}', '{"$float":"nan"}',
    '{"$set":[[1]]}', '{"$dict":[[{"$set":[]},1]]}', '{"$complex":[1e999,0]}', '{"$bytes":"="}',
)  # fmt: skip
_BYTES = (b"\xff", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\r\n", b"\n\n", bytes(4), b"\xff" * 4)
NASTY = (*(text.encode() for text in _TEXTS), *_BYTES)

numbers = (
    st.integers()
    | st.floats()
    | st.sampled_from([2**63, -(2**64), 10**400, 2**61 - 1, 0, -1, 1e308, -0.0])
)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(st.characters(), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=4) | st.sampled_from(TAGS), inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(TAGS), st.lists(inner, max_size=3), min_size=1, max_size=1
        )
        | st.builds(lambda number: {"$same": number}, st.integers(-1, 6))
    ),
    max_leaves=12,
)
json_texts = json_values.map(lambda value: json.dumps(value).encode())


@st.composite
def damaged_messages(draw: st.DrawFn, messages: Sequence[bytes]) -> bytes:
    """One of ``messages``, or two of them, cut, doubled, overwritten or with bytes put in."""
    data = draw(st.sampled_from(messages))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 8)))
        new = draw(st.binary(max_size=4) | st.sampled_from(NASTY) | st.sampled_from(messages))
        data = draw(
            st.sampled_from([data[:at] + new + data[end:], data[:at], data + data[at:], data[at:]])
        )
    return data


def hostile_messages(*messages: bytes) -> Any:
    """Bytes of every kind: no message at all, JSON, and the given messages damaged."""
    return st.binary(max_size=64) | json_texts | st.sampled_from(NASTY) | damaged_messages(messages)
