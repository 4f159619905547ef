"""A package brings nothing into a corpus but files of its own, however it points at others."""

from __future__ import annotations

import os
import socket
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.formats.packages import PackageError, read_package

pytest.importorskip("yaml", reason="yaml is missing: pip install '.[data]'")

SECRET = "a secret of this machine"
DMOJ = "test_cases:\n- {in: a.in, out: a.out}\n"
POLYGON = (
    '<problem><statements><statement language="LANGUAGE"/></statements>'
    '<judging><testset name="tests"><test-count>1</test-count>'
    "<input-path-pattern>PATTERN%d</input-path-pattern></testset></judging></problem>"
)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file beside the package."""
    path = tmp_path / "secret.txt"
    path.write_text(SECRET)
    return path


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A Kattis package with one test."""
    folder = tmp_path / "package"
    (folder / "data" / "secret").mkdir(parents=True)
    (folder / "problem.yaml").write_text("name: x\n")
    (folder / "data" / "secret" / "1.in").write_text("1\n")
    (folder / "data" / "secret" / "1.ans").write_text("2\n")
    return folder


def refusal(folder: Path) -> str:
    """Why the package is refused; fails where it is not, or where the secret is in the error."""
    with pytest.raises(PackageError) as caught:
        read_package(folder)
    assert SECRET not in str(caught.value)
    assert caught.value.reason == "broken_package"
    return str(caught.value)


@pytest.mark.parametrize(
    "name",
    ["data/secret/2.in", "data/secret/1.ans", "problem_statement/problem.tex", ".timelimit",
     "submissions/accepted/a.py", "output_validators/v.py", "output_validator/v.py",
     "include/c/x.h", "graders/g.py", "attachments/a.py", "statement/problem.md", "problem.en.html",
     "domjudge-problem.ini"],
)  # fmt: skip
def test_a_link_out_of_a_package_is_refused_by_name(package: Path, secret: Path, name: str) -> None:
    link = package / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(secret)
    assert refusal(package) == f"{name} is a link that leads out of the package"


def test_a_link_to_a_link_out_is_refused(package: Path, secret: Path) -> None:
    (package / "data" / "between").symlink_to("../../secret.txt")
    (package / "data" / "secret" / "2.in").symlink_to(package / "data" / "between")
    message = refusal(package)
    assert "is a link that leads out of the package" in message
    assert message.startswith(("data/between", "data/secret/2.in"))


def test_a_folder_that_is_a_link_out_is_refused(package: Path, tmp_path: Path) -> None:
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / "1.in").write_text(SECRET)
    (package / "data" / "sample").symlink_to(tmp_path / "others")
    assert refusal(package) == "data/sample is a link that leads out of the package"


def test_what_nobody_reads_may_be_links_to_what_packages_share(package: Path, secret: Path) -> None:
    (package / "Makefile").symlink_to("../Makefile")
    (package / "problem.pdf").symlink_to(secret)
    (package / "answer_validators").symlink_to(secret.parent)
    validators = package / "input_validators"
    validators.mkdir()
    (validators / "0.in").symlink_to(secret)
    (validators / "gone.h").symlink_to("../../gone.h")
    (validators / "own").mkdir()
    (package / "generators").mkdir()
    (package / "generators" / "generator").symlink_to("../input_validators/own")
    assert len(read_package(package).tests) == 1


@pytest.mark.parametrize("target", ["../input_validators", "../input_validators/own", ".."])
def test_a_link_to_a_folder_with_such_links_is_refused(
    package: Path, secret: Path, target: str
) -> None:
    own = package / "input_validators" / "own"
    own.mkdir(parents=True)
    (own / "0.in").symlink_to(secret)
    (package / "data" / "sample").symlink_to(target)
    reached = "input_validators/own/0.in, a link that is not checked"
    assert refusal(package) == f"data/sample leads to {reached}"


def test_the_file_a_package_is_known_by_may_be_no_link_either(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text(f"license: {SECRET}\n")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "problem.yaml").symlink_to("../secret.yaml")
    assert refusal(tmp_path / "package").startswith("problem.yaml")


def test_links_within_a_package_are_fine(package: Path) -> None:
    data = package / "data"
    (data / "sample").mkdir()
    (data / "sample" / "0.in").symlink_to("../secret/1.in")
    (data / "sample" / "0.ans").hardlink_to(data / "secret" / "1.ans")
    (package / "again").symlink_to("data")
    assert len(read_package(package).tests) == 2


def test_a_hard_link_to_a_file_outside_is_refused(package: Path, secret: Path) -> None:
    (package / "data" / "secret" / "2.in").hardlink_to(secret)
    assert "data/secret/2.in is a hard link to a file outside" in refusal(package)


@pytest.mark.parametrize("kind", ["fifo", "socket", "nowhere", "loop", "device"])
def test_what_is_no_file_is_refused_and_never_waited_for(package: Path, kind: str) -> None:
    path = package / "data" / "secret" / "2.in"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
    else:
        path.symlink_to({"nowhere": "none", "loop": "2.in", "device": "/dev/zero"}[kind])
    assert "data/secret/2.in" in refusal(package)


def polygon(folder: Path, pattern: str = "tests/", language: str = "english") -> None:
    text = POLYGON.replace("PATTERN", pattern).replace("LANGUAGE", language)
    (folder / "problem.yaml").unlink()
    (folder / "problem.xml").write_text(text)
    (folder / "tests").mkdir()
    for name in ("1", "01.a"):
        (folder / "tests" / name).write_text("1\n")


def test_names_in_a_polygon_package_stay_inside(package: Path, tmp_path: Path) -> None:
    polygon(package)
    assert read_package(package).tests
    (tmp_path / "problem.tex").write_text(SECRET)
    (tmp_path / "1").write_text(SECRET)
    for pattern, language in (("../", "english"), (f"{tmp_path}/", "english"), ("tests/", "../..")):
        text = POLYGON.replace("PATTERN", pattern).replace("LANGUAGE", language)
        (package / "problem.xml").write_text(text)
        assert "outside the package" in refusal(package)


@pytest.mark.parametrize(
    "text",
    [
        DMOJ.replace("a.in", "../secret.txt"),
        DMOJ.replace("a.in", "/etc/hostname"),
        DMOJ + "archive: ../secret.zip\n",
        DMOJ + "checker: {name: bridged, args: {type: testlib, files: ../check.cpp}}\n",
    ],
    ids=["input", "absolute", "archive", "checker"],
)
def test_names_in_a_dmoj_package_stay_inside(package: Path, secret: Path, text: str) -> None:
    (secret.parent / "check.cpp").write_text(SECRET)
    (package / "problem.yaml").unlink()
    (package / "init.yml").write_text(text)
    (package / "a.in").write_text("1\n")
    (package / "a.out").write_text("1\n")
    assert "outside the package" in refusal(package)


def zipped(folder: Path, change: Callable[[zipfile.ZipFile], Any]) -> None:
    (folder / "problem.yaml").unlink()
    (folder / "init.yml").write_text(DMOJ + "archive: t.zip\n")
    with zipfile.ZipFile(folder / "t.zip", "w") as archive:
        archive.writestr("a.in", "1\n")
        archive.writestr("a.out", "1\n")
        change(archive)


def entry(name: str, kind: int) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name)
    made.external_attr = (kind | 0o777) << 16
    return made


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (entry("link", stat.S_IFLNK), "link in the archive is a link or a device"),
        (entry("pipe", stat.S_IFIFO), "pipe in the archive is a link or a device"),
        (entry("../x", stat.S_IFREG), "../x leads out of the archive"),
        (entry("a/../../x", 0), "a/../../x leads out of the archive"),
        (entry("/etc/x", 0), "/etc/x leads out of the archive"),
    ],
)
def test_an_archive_holds_plain_files_of_its_own(
    package: Path, made: zipfile.ZipInfo, words: str
) -> None:
    zipped(package, lambda archive: archive.writestr(made, "../../secret.txt"))
    assert refusal(package) == words


def test_an_archive_of_files_and_folders_is_read(package: Path) -> None:
    zipped(package, lambda archive: archive.writestr(entry("d/", stat.S_IFDIR), ""))
    assert read_package(package).tests


def test_an_archive_that_is_none_breaks_the_package(package: Path) -> None:
    zipped(package, lambda archive: None)
    (package / "t.zip").write_bytes(b"PK\3\4")
    assert refusal(package).startswith("t.zip cannot be read")


def test_a_package_in_the_cache_of_the_hub_consists_of_links_to_its_blobs(
    package: Path, tmp_path: Path
) -> None:
    repository = tmp_path / "datasets--o--n"
    (repository / "blobs").mkdir(parents=True)
    for path in [path for path in package.rglob("*") if path.is_file()]:
        blob = repository / "blobs" / path.name
        path.rename(blob)
        path.symlink_to(blob)
    cached = repository / "snapshots" / "abc" / "package"
    cached.parent.mkdir(parents=True)
    package.rename(cached)
    assert read_package(cached).tests
    (cached / "data" / "out").symlink_to("/etc/hostname")
    assert refusal(cached) == "data/out is a link that leads out of the package"


@pytest.mark.parametrize("name", ["data/secret/2.in", "submissions/accepted/a.py", "problem.yaml"])
def test_a_file_of_holes_larger_than_memory_refuses_the_package(package: Path, name: str) -> None:
    (package / name).parent.mkdir(parents=True, exist_ok=True)
    with (package / name).open("ab") as file:
        file.truncate(1 << 40)
    assert refusal(package) == "it holds more than 2 GiB"


def test_a_large_file_that_nobody_reads_refuses_no_package(package: Path) -> None:
    (package / ".git").mkdir()
    for name in (".git/pack", "video.mp4"):
        with (package / name).open("wb") as file:
            file.truncate(1 << 40)
    assert len(read_package(package).tests) == 1
