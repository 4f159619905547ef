"""Golden pairs: the program in a model's answer."""

from __future__ import annotations

from collections.abc import Iterator

from tests.golden.pairs import Pair, answered

OK, BAD = "```python\nprint(1)\n```", "```python\nprint(2)\n```"
ANSWERS = {
    "a fence": OK,
    "prose around": f"Here it is:\n\n{OK}\n\nIt prints 1.",
    "the last of two": f"{BAD}\nBetter:\n{OK}",
    "the last of two is wrong": f"{OK}\nBetter:\n{BAD}",
    "py": "```py\nprint(1)\n```",
    "python3": "```python3\nprint(1)\n```",
    "upper case": "```Python\nprint(1)\n```",
    "no tag": "```\nprint(1)\n```",
    "a tag before none": f"{OK}\n```\nprint(2)\n```",
    "another language last": f"{OK}\n```cpp\nint main() {{}}\n```",
    "another language only": "```cpp\nint main() {}\n```",
    "an output block last": f"{OK}\n```text\n1\n```",
    "tildes": "~~~python\nprint(1)\n~~~",
    "four backticks": "````python\nprint(1)\n````",
    "a title": "```python title=a.py\nprint(1)\n```",
    "in braces": "```{.python}\nprint(1)\n```",
    "indented in a list": "1. So:\n   ```python\n   print(1)\n   ```",
    "behind a list marker": "- ```python\n  print(1)\n  ```",
    "DOS line ends": OK.replace("\n", "\r\n"),
    "a byte order mark": f"\ufeff{OK}",
    "no fence": "print(1)",
    "prose without a fence": "I would print 1.",
    "a word that is a program": "one",
    "nothing": "",
    "white space": " \n\n",
    "an empty fence": "```python\n```",
    "an empty fence last": f"{OK}\n```python\n\n```",
    "cut off": "```python\nprint(1)\n",
    "cut off, after a whole one": f"{OK}\nOr:\n```python\nprint(",
    "cut off, after a whole wrong one": f"{BAD}\nOr:\n```python\nprint(",
    "never closed, started again": "```python\nprint(2)\n```python\nprint(1)\n```",
    "thinking": f"<think>\n{BAD}\n</think>\n{OK}",
    "only thinking": f"<think>\n{OK}\n</think>",
    "thinking that never ends": f"{OK}\n<think>\n{BAD}",
    "thinking opened in the prompt": f"{BAD}\n</think>\n{OK}",
    "thinking that ends twice": f"{OK}\n<think>a</think>\nb\n</think>\nNo.",
    "thinking again": f"<think>a</think>\n{OK}\n<think>\n{BAD}\n</think>",
    "a fence right behind thinking": f"<think>a</think>{OK}",
    "a fence in a string": "```python\ns = '''\n```\n'''\nprint(1)\n```",
    "a fence in a docstring": '```python\ndef f():\n    """\n    ```\n    f()\n    ```\n    """\nprint(1)\n```',
    "a fence in a comment": "```python\n# ```\nprint(1)\n```",
    "does not compile": "```python\nprint(1\n```",
    "Python 2": "```python\nprint 1\n```",
    "an invalid escape": "```python\nx = '\\d'\nprint(1)\n```",
    "return at the top, no fence": "return 1",
    "inline code": "Use `print(1)`.",
    "HTML": "<pre>print(1)</pre>",
}  # fmt: skip
CPP = '#include <cstdio>\nint main() { puts("1"); }'
CPP_ANSWERS = {
    "C++": f"```cpp\n{CPP}\n```",
    "C++ before Python": f"```c++\n{CPP}\n```\n{BAD}",
    "C++ without a fence": CPP,
}


def pairs() -> Iterator[Pair]:
    """A pair for each answer; 1 is to be printed."""
    for name, text in ANSWERS.items():
        yield answered(name, text, ("", "1\n"))
    for name, text in CPP_ANSWERS.items():
        yield answered(name, text, ("", "1\n"), language="cpp")
