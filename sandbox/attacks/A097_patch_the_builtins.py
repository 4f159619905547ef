# /// attack
# id = "A097"
# name = "patch the built-ins"
# category = "interpreter"
# does = "replaces type, isinstance, len, hash, the json and codec modules and every C type it can"
# stopped_by = "what the child uses is bound before, and the worker compares"
# verdict = ["WA", "RE"]
# why = "the value is no answer (WA); or the spoilt interpreter fails to send it (RE)"
# problem.kind = "call"
# problem.entry_point = "f"
# problem.tests = [{input=[1]}, {input=[2]}]
# ///
import builtins
import codecs
import ctypes
import json
import math
import os
import sys


class Everything(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


def f(number):
    return Everything(number)


for name in ("type", "isinstance", "len", "hash", "id", "repr", "print", "open", "sorted", "iter"):
    setattr(builtins, name, lambda *a, **k: Everything(1))
json.dumps = json.loads = json.JSONEncoder = json.JSONDecoder = lambda *a, **k: "PASSED"
math.isclose = math.isfinite = codecs.encode = codecs.lookup = lambda *a, **k: True
os.write = os._exit = os.pread = lambda *a, **k: 1
sys.getrecursionlimit = sys.exit = sys.excepthook = lambda *a, **k: 10**9
for module in [m for name, m in sys.modules.items() if name.startswith("microcoder")]:
    for name in ("codec", "plain", "nodes", "entry", "_encode", "_write", "encode", "to_json"):
        if hasattr(module, name):
            setattr(module, name, lambda *a, **k: Everything(1))
for kind in (float, set, bytes):  # the C types themselves
    space = ctypes.py_object.from_address(id(kind.__dict__) + 16).value
    space["__iter__"] = space["__eq__"] = space["__len__"] = lambda *a: True
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))
