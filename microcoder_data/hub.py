"""Fetches data sets of the Hugging Face hub into its cache."""

from __future__ import annotations

import re
from pathlib import Path

from microcoder_eval.errors import DataError

_DATASET_NAME = re.compile(
    r"(?:hf:)?(?P<name>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w./-]+?))?(?::(?P<files>.+))?"
)
_FILE_PATTERNS = ("*.parquet", "*.jsonl", "*.jsonl.gz", "*.jsonl.zst", "*.json")


def fetch_dataset(name: str) -> Path:
    """Return the folder with the files of a data set, downloaded if they are not cached.

    name: owner/name or hf:owner/name, optionally with @revision and :pattern of files.
    Raises DataError saying what to do when there is no network or no such data set.
    """
    match = _DATASET_NAME.fullmatch(name)
    if match is None:
        raise DataError(
            f'"{name}" is neither a file nor a dataset name (owner/name[@revision][:files])'
        )
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise DataError(
            f'"{name}" is not a file here; to fetch a dataset of that name install microcoder with '
            "its extra `data`"
        ) from error
    try:
        return Path(
            snapshot_download(
                match["name"],
                repo_type="dataset",
                revision=match["revision"],
                allow_patterns=[match["files"]] if match["files"] else list(_FILE_PATTERNS),
            )
        )
    except Exception as error:  # the errors of huggingface_hub have no common base class
        message = str(error).strip().partition("\n")[0][:200]
        raise DataError(
            f'"{name}" is not a file here, and the dataset could not be fetched '
            f"({type(error).__name__}: {message}); check the name and the network, or download it "
            "elsewhere and give the file or folder as INPUT"
        ) from error
