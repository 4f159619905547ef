"""Data sets of the Hugging Face hub by name, as files in its own cache."""

from __future__ import annotations

import re
from pathlib import Path

from microcoder_eval.errors import DataError

_NAME = re.compile(
    r"(?:hf:)?(?P<name>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w./-]+?))?(?::(?P<files>.+))?"
)
_FILES = ("*.parquet", "*.jsonl", "*.jsonl.gz", "*.jsonl.zst", "*.json")


def fetched(name: str) -> Path:
    """The folder with the set's files, downloaded where they are not there yet.

    name: owner/name, hf:owner/name, with @revision and :pattern of files where wanted.
    Raises DataError saying what to do when there is no network or no such set.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        raise DataError(f'"{name}" is no file, and no dataset name (owner/name[@revision][:files])')
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise DataError(
            f'"{name}" is no file here; to fetch a dataset of that name install microcoder with '
            "its extra `data`"
        ) from error
    try:
        return Path(
            snapshot_download(
                found["name"],
                repo_type="dataset",
                revision=found["revision"],
                allow_patterns=[found["files"]] if found["files"] else list(_FILES),
            )
        )
    except Exception as error:  # its errors have no common root; all say that there are no files
        first = str(error).strip().partition("\n")[0][:200]
        raise DataError(
            f'"{name}" is no file here, and the dataset could not be fetched '
            f"({type(error).__name__}: {first}); check the name and the network, or download it "
            "elsewhere and give the file or folder as INPUT"
        ) from error
