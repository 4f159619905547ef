"""Named tensors in a folder, saved in shards with torch.distributed.checkpoint.

Any number of processes, also one, can load what any other number saved.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from torch import Tensor
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.filesystem import FileSystemReader
from torch.distributed.checkpoint.state_dict_loader import load as load_shards
from torch.distributed.checkpoint.state_dict_saver import save as save_shards


def save(folder: Path, tensors: Mapping[str, Tensor]) -> None:
    """Write the tensors; every rank must call it. Raises OSError."""
    with _translate_errors():
        save_shards(dict(tensors), checkpoint_id=folder)


def load(folder: Path, tensors: Mapping[str, Tensor]) -> None:
    """Fill the tensors by name, however they are sharded. Raises OSError."""
    with _translate_errors():
        load_shards(dict(tensors), checkpoint_id=folder)


def list_names(folder: Path) -> set[str]:
    """Return the names of the tensors that ``save`` wrote. Raises OSError."""
    with _translate_errors():
        return set(FileSystemReader(folder).read_metadata().state_dict_metadata)


@contextmanager
def _translate_errors() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "torch.distributed is disabled")  # intended
        try:
            yield
        except CheckpointException as error:  # a BaseException
            process, (reason, _) = next(iter(error.failures.items()))
            raise OSError(f"process {process}: {reason}") from error
