"""What the tests of samplers share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from transformers import PreTrainedModel


@pytest.fixture
def model(tiny: Path) -> PreTrainedModel:
    """The tiny model; a test may change its weights."""
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(tiny / "model")
