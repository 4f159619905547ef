"""Named tensors in a folder, saved in shards with torch.distributed.checkpoint in the background.

Any number of processes, also one, can load what any other number saved.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from torch import Tensor
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.filesystem import FileSystemReader
from torch.distributed.checkpoint.state_dict_loader import load as load_shards
from torch.distributed.checkpoint.state_dict_saver import async_save

from microcoder_train.parallel import make_background_group


def start_saving(folder: Path, tensors: Mapping[str, Tensor]) -> Callable[[], None]:
    """Copy the tensors and write the copy in the background; every rank must call it.

    The returned function waits until all ranks have written. Raises OSError, as that does.
    """
    with _translate_errors():
        group = make_background_group()
        # A Future, since the copy is complete when this returns.
        writing: Any = async_save(dict(tensors), checkpoint_id=folder, process_group=group)

    def finish() -> None:
        with _translate_errors():
            writing.result()

    return finish


def load(folder: Path, tensors: Mapping[str, Tensor]) -> None:
    """Fill the tensors by name, however they are sharded. Raises OSError."""
    with _translate_errors():
        load_shards(dict(tensors), checkpoint_id=folder)


def list_names(folder: Path) -> set[str]:
    """Return the names of the tensors in the folder. Raises OSError."""
    with _translate_errors():
        return set(FileSystemReader(folder).read_metadata().state_dict_metadata)


@contextmanager
def _translate_errors() -> Iterator[None]:
    # A single process is intended. The filter must outlast this call: torch warns in its thread.
    warnings.filterwarnings("ignore", "torch.distributed is disabled")
    try:
        yield
    except CheckpointException as error:  # a BaseException
        process, (reason, _) = next(iter(error.failures.items()))
        raise OSError(f"process {process}: {reason}") from error
