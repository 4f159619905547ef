"""Run the Python blocks of a page one after the other, in one namespace: play.py BLOCKS.json.

``await`` may stand outside functions, as in a notebook. Tracebacks name the page and its lines.
"""

import ast
import asyncio
import inspect
import json
import sys

if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        played = json.load(file)
    names = {"__name__": "__main__"}
    for block in played:
        text = "\n" * (block["line"] - 1) + block["text"]
        code = compile(text, block["page"], "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        done = eval(code, names)
        if inspect.iscoroutine(done):
            asyncio.run(done)
