"""The answer in OpenRLHF's queries, which hold the prompt as well."""

from __future__ import annotations

import pytest

from microcoder_eval.errors import DataError
from microcoder_eval.integrations.openrlhf import extract_answer

PROMPT = "<|user|>Mend this:\n```python\nprint(2)\n```<|assistant|>"
ANSWER = "```python\nprint(1)\n```"


@pytest.mark.parametrize("before", ["", "<s>", "<|endoftext|>\n"])
def test_the_answer_begins_where_the_prompt_ends(before: str) -> None:
    assert extract_answer(f"{before}{PROMPT}{ANSWER}<|im_end|>", PROMPT) == ANSWER


def test_code_of_the_prompt_is_never_taken_for_the_answer() -> None:
    other = PROMPT.replace("Mend", "Repair")
    with pytest.raises(DataError, match="does not contain its prompt"):
        extract_answer(f"{other}{ANSWER}", PROMPT)
