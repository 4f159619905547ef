"""A package in a ZIP archive is read as the folder would be."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from microcoder_eval.formats.packages import PackageError, make_row, read_package
from microcoder_eval.formats.packages.tree import scan_tree

pytest.importorskip("yaml", reason="yaml is missing: install microcoder[data]")

FILES = {
    "problem.yaml": "name: Ferry\n",
    "data/secret/1.in": "1\n",
    "data/secret/1.ans": "2\n",
    "submissions/accepted/a.py": "print(2)\n",
}


def write_archive(path: Path, prefix: str = "", **files: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**FILES, **files}.items():
            archive.writestr(f"{prefix}{name}", text)
    return path


@pytest.mark.parametrize(("prefix", "suffix"), [("", "zip"), ("anything/", "kpp")])
def test_it_is_read_as_its_folder(prefix: str, suffix: str, tmp_path: Path) -> None:
    folder = tmp_path / "ferry"
    with zipfile.ZipFile(write_archive(tmp_path / "plain.zip")) as archive:
        archive.extractall(folder)
    packed = read_package(write_archive(tmp_path / f"ferry.{suffix}", prefix))
    assert make_row(packed) == make_row(read_package(folder))


def test_a_tree_lists_archives_of_packages_and_no_others(tmp_path: Path) -> None:
    write_archive(tmp_path / "autumn" / "a.zip")
    with zipfile.ZipFile(tmp_path / "slides.zip", "w") as archive:
        archive.writestr("slides.txt", "")
    (tmp_path / "torn.zip").write_bytes(b"PK\3\4")
    tree = scan_tree(tmp_path)
    assert [name for name, _ in tree.packages] == ["autumn/a.zip"]
    assert tree.strays == ("slides.zip", "torn.zip")


def test_names_that_lead_out_of_the_archive_break_it(tmp_path: Path) -> None:
    path = write_archive(tmp_path / "a.zip", **{"../outside": "x"})
    with pytest.raises(PackageError, match="leads out of the archive"):
        read_package(path)
    assert not (tmp_path / "outside").exists()


def test_a_file_that_is_no_archive_is_broken(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\3\4")
    with pytest.raises(PackageError, match=r"a\.zip cannot be read"):
        read_package(tmp_path / "a.zip")
