"""Programs that leave something for the next test, and look for what the one before has left.

Each is (name, code); the code sets ``seen`` to whether it found anything, and leaves its mark.
One whose mark is code that runs later has that code print "leaked".
"""

from __future__ import annotations

from pathlib import Path

_MODULES = (
    "math cmath heapq bisect itertools functools collections collections.abc operator copy json "
    "string random re decimal fractions statistics datetime typing dataclasses enum abc io os "
    "os.path sys time struct queue array base64 hashlib contextlib numbers types gc zlib calendar "
    "threading atexit signal linecache traceback inspect weakref"
)

# An import, and what can be given an attribute behind it where nothing forbids it.
_OBJECTS = """
from collections import Counter: Counter; Counter.update; Counter().most_common.__func__
from collections import ChainMap: ChainMap.new_child
from collections import namedtuple: namedtuple
from collections.abc import Sequence: Sequence
import collections.abc: collections.abc.Mapping.get
import heapq: heapq.merge
from heapq import nlargest: nlargest
import functools: functools.total_ordering
from functools import wraps: wraps
import json: json.dumps
import copy: copy.deepcopy
import re: re.compile
import random: random.Random; random.Random.choice
from fractions import Fraction: Fraction; type(Fraction(1)).limit_denominator; Fraction.__mro__[1]
from enum import Enum: Enum; type(Enum)
from abc import ABC: ABC; type(ABC)
from dataclasses import field: type(field())
from queue import Queue: Queue; type(Queue().not_empty)
from typing import List: type(List)
import typing: typing.NamedTuple
import statistics: statistics.mean
import string: string.capwords
import contextlib: contextlib.suppress; type(contextlib.nullcontext())
import os: os.path.join; os.fstat; type(os.fstat(0))
import os.path: os.path.isfile
import sys: type(sys.implementation)
: open; getattr; __import__; exit; type(exit); help
"""
# Of leaks.txt: "## NAME", then the program, as often as one likes.
_PROGRAMS = "\n" + Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")


LEAKS: dict[str, str] = {
    **{
        f"module {name}": f"import {name} as m\nseen = hasattr(m, 'mark')\nm.mark = 1"
        for name in _MODULES.split()
    },
    **{
        f"attribute of {thing} ({how})": (
            f"{how}\nseen = False\n"
            f"try:\n    seen = hasattr({thing}, 'mark')\n    {thing}.mark = 1\n"
            "except (AttributeError, TypeError): pass"
        )
        for how, _, things in (line.partition(":") for line in _OBJECTS.strip().split("\n"))
        for thing in things.strip().split("; ")
    },
    **{
        name: code.strip()
        for name, _, code in (part.partition("\n") for part in _PROGRAMS.split("\n## ")[1:])
    },
}
