"""The readers of values: what they accept they can write again, and all else is one exception."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given

from microcoder_sandbox.rpc import packing
from microcoder_sandbox.wire import codec, light_json, nodes
from tests.fuzz.material import hostile_messages, json_values, unhurried


@unhurried
@given(hostile_messages(b'[1,{"$tuple":[2,"a"]},null]', b'{"$dict":[[1,[2]],[{"$tuple":[]},{}]]}'))
def test_bytes_are_json_for_both_readers_or_for_none(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    try:
        value = light_json.loads(text)
    except (ValueError, RecursionError):
        return
    assert repr(json.loads(text)) == repr(value)
    assert repr(light_json.loads(light_json.dumps(value).decode())) == repr(value)


@unhurried
@given(json_values)
def test_what_the_codec_reads_it_can_write_and_read_again(value: Any) -> None:
    try:
        read = codec.from_json(value)
    except ValueError:
        return
    body = codec.to_json(read)
    assert repr(codec.from_json(json.loads(json.dumps(body)))) == repr(codec.from_json(body))
    assert codec.to_json(codec.from_json(body)) == body or "NaN" in json.dumps(value)


def _handle(tag: str, body: Any) -> Any:
    if tag == "$handle" and type(body) is int:
        return object()
    raise ValueError("an unknown tag")


@unhurried
@given(json_values)
@example({"$deque": []})
def test_a_value_on_the_wire_is_read_or_refused_with_value_error(value: Any) -> None:
    classes = {"ListNode": nodes.ListNode, "TreeNode": nodes.TreeNode}
    try:
        packing.Unpacker(_handle, classes).unpack(value)
    except (ValueError, RecursionError):
        pass
