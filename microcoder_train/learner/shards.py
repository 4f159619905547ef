"""Named tensors in a folder, each process its shards: torch.distributed.checkpoint, one process
included, so that what any number of processes wrote any other number reads."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from torch import Tensor
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.state_dict_loader import load as load_shards
from torch.distributed.checkpoint.state_dict_saver import save as save_shards


def save(folder: Path, tensors: Mapping[str, Tensor]) -> None:
    """Write all tensors; called by every process. Raises OSError."""
    with _plainly():
        save_shards(dict(tensors), checkpoint_id=folder)


def load(folder: Path, tensors: Mapping[str, Tensor]) -> None:
    """Fill the tensors, however sharded, with those of their names. Raises OSError."""
    with _plainly():
        load_shards(dict(tensors), checkpoint_id=folder)


@contextmanager
def _plainly() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "torch.distributed is disabled")  # so it is: one process
        try:
            yield
        except CheckpointException as error:  # which no ``except Exception`` catches
            which, (reason, _) = next(iter(error.failures.items()))
            raise OSError(f"process {which}: {reason}") from error
