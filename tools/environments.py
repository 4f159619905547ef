"""Finds the interpreters of this machine, and makes an environment with the wheel for each."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
MOUNT_POINT = "/mnt"  # path of the cache folder for every command and user
DEBIAN_RELEASE = "sid"  # the newest interpreters that apt offers
TEST_PACKAGES = ("pytest", "pytest-timeout", "hypothesis", "sortedcontainers")
_PROJECT = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]
_OLDEST = _PROJECT["requires-python"].removeprefix(">=")
_TOOLS_OF_ROOT = ("util-linux", "mount", "coreutils", "dash", "libc-bin", "libstdc++6")
# Files of the machine that pip needs in another root.
_NETWORK_FILES = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl", "/etc/pip.conf")
_ENTER_ROOT = """
mount --bind "$ROOT" "$ROOT"
for folder in proc dev sys; do mount --rbind "/$folder" "$ROOT/$folder"; done
mount -t tmpfs -o mode=1777 none "$ROOT/tmp"
mount --bind "$CACHE" "$ROOT/mnt"
for file in $NETWORK_FILES; do
  if [ -d "$file" ]; then mkdir -p "$ROOT$file"; elif [ -e "$file" ]; then : >> "$ROOT$file"; fi
  [ ! -e "$file" ] || mount --bind "$file" "$ROOT$file"
done
cd "$ROOT"
pivot_root . .
umount -l .
cd /
"""


class UnavailableError(Exception):
    """An interpreter, a root or an environment that cannot be made here, with the reason."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python. root: the root folder of its tree; None: this machine's."""

    version: str
    path: str
    root: Path | None = None

    @property
    def minor(self) -> str:
        """For example 3.11."""
        return ".".join(self.version.split(".")[:2])


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment with the wheel installed. folder: its path for its commands."""

    interpreter: Interpreter
    folder: str


def make_command(cache: Path, root: Path | None, script: str, command: Sequence[str]) -> list[str]:
    """Make a command that runs ``script``, then ``command``, in a mount namespace."""
    enter = _ENTER_ROOT if root else f'mount --bind "$CACHE" {MOUNT_POINT}\n'
    variables = {
        "CACHE": cache,
        "ROOT": root or "/",
        "NETWORK_FILES": " ".join(_NETWORK_FILES),
    }
    settings = "".join(f"{name}='{value}'\n" for name, value in variables.items())
    steps = f'set -eu\n{settings}{enter}{script}\nexec "$@"'
    return [
        *("unshare", "--mount", "--propagation", "private"),
        *("sh", "-c", steps, "sh", *command),
    ]


def find_interpreters() -> list[Interpreter]:
    """Find the interpreters of this machine, the system's and pyenv's, oldest version first."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    candidates: list[Path] = []
    for folder in ("/usr/bin", "/usr/local/bin"):
        candidates += sorted(Path(folder).glob("python3.[0-9]*"))
    candidates += sorted(pyenv.glob("versions/*/bin/python3.[0-9]*"))
    interpreters = []
    for path in candidates:
        if not re.fullmatch(r"python3\.\d+", path.name):
            continue
        interpreter = Interpreter(_read_version(path), str(path))
        if _split_version(interpreter.minor) >= _split_version(_OLDEST):
            interpreters.append(interpreter)
    return sorted(interpreters, key=lambda interpreter: _split_version(interpreter.minor))


def _split_version(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _read_version(path: Path) -> str:
    code = "import platform; print(platform.python_version())"
    return _run([str(path), "-c", code]).strip()


def install_debian_interpreters(cache: Path) -> list[Interpreter]:
    """Install the newest interpreters of Debian's development release in a root folder.

    apt-get downloads and verifies the packages; the machine's apt is not changed. Raises
    UnavailableError if apt or its mirror is not available.
    """
    root = cache / "debian"
    marker = root / "complete.json"
    if not marker.exists():
        shutil.rmtree(root, ignore_errors=True)
        versions = _fill_root(cache, root)
        marker.write_text(json.dumps(versions))
    names = json.loads(marker.read_text())
    return [Interpreter(version, f"/usr/bin/{name}", root) for name, version in names.items()]


def _fill_root(cache: Path, root: Path) -> dict[str, str]:
    state = cache / "apt"
    for folder in ("lists/partial", "cache/archives/partial"):
        (state / folder).mkdir(parents=True, exist_ok=True)
    (state / "status").touch()
    source = f"deb {_find_debian_mirror()} {DEBIAN_RELEASE} main\n"
    (state / "sources.list").write_text(source)
    options = [
        f"-oDir::Etc::sourcelist={state}/sources.list",
        "-oDir::Etc::sourceparts=/dev/null",
        f"-oDir::State::lists={state}/lists",
        f"-oDir::State::status={state}/status",
        f"-oDir::Cache={state}/cache",
        "-oAPT::Install-Recommends=0",
        "-oAPT::Sandbox::User=root",
    ]
    _run(["apt-get", *options, "-qq", "update"])
    listing = _run(["apt-cache", *options, "pkgnames", "python3."])
    names = [name for name in listing.split() if re.fullmatch(r"python3\.\d+", name)]
    newest = _split_version(max(names, key=lambda name: _split_version(name[6:]))[6:])
    # The two newest: the default of the release, and the next version.
    pythons = [name for name in names if _split_version(name[6:]) >= (newest[0], newest[1] - 1)]
    packages = [*(f"{name}-venv" for name in pythons), *_TOOLS_OF_ROOT]
    _run(["apt-get", *options, "-qq", "-y", "--download-only", "install", *packages])
    for folder in ("bin", "sbin", "lib", "lib64"):
        (root / "usr" / folder).mkdir(parents=True)
        (root / folder).symlink_to(f"usr/{folder}")
    for package in sorted((state / "cache/archives").glob("*.deb")):
        # Only unpacked: an interpreter does not need the packages' scripts.
        unpack = 'dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink -C "$2"'
        _run(["sh", "-c", unpack, "sh", str(package), str(root)])
    for folder in ("proc", "dev", "sys", "tmp", "mnt", "etc", "root", "var/tmp"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "var/tmp").chmod(0o1777)
    (root / "etc/passwd").write_text(
        "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n"
    )
    (root / "etc/group").write_text("root:x:0:\nnogroup:x:65534:\n")
    _run(["chroot", str(root), "/sbin/ldconfig"])
    code = "import platform; print(platform.python_version())"
    return {
        name: _run(["chroot", str(root), f"/usr/bin/{name}", "-c", code]).strip()
        for name in sorted(pythons, key=lambda name: _split_version(name[6:]))
    }


def _find_debian_mirror() -> str:
    """Return the Debian mirror of this machine's apt."""
    if shutil.which("apt-get") is None:
        raise UnavailableError("no apt-get here")
    listing = _run(["apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)"])
    mirrors = [line.split()[1] for line in listing.splitlines() if line.startswith("Debian ")]
    mirrors = [mirror for mirror in mirrors if "security" not in mirror]
    if not mirrors:
        raise UnavailableError("apt knows no mirror of Debian here")
    return mirrors[0]


def build_wheel(cache: Path) -> Path:
    """Build the wheel of this checkout."""
    folder = cache / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    _run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), SOURCE])
    (wheel,) = folder.glob("*.whl")
    return wheel


def make_lowest_constraints() -> str:
    """Return pip constraints: each dependency at the lowest version of pyproject.toml."""
    bounds = re.findall(r"^([\w-]+)>=([\w.]+)", "\n".join(_PROJECT["dependencies"]), re.MULTILINE)
    if len(bounds) != len(_PROJECT["dependencies"]):
        raise ValueError("pyproject.toml: a dependency without a lower bound")
    return "".join(f"{name}=={version}\n" for name, version in bounds)


def make_environment(
    cache: Path, name: str, interpreter: Interpreter, wheel: Path, constraints: str = ""
) -> Environment:
    """Make the environment, or update that of an earlier run.

    Raises UnavailableError if something cannot be installed.
    """
    folder = f"{MOUNT_POINT}/envs/{name}"
    stamp_file = cache / "envs" / f"{name}.json"
    contents = [interpreter.version, interpreter.path, constraints, TEST_PACKAGES]
    contents += [_PROJECT["dependencies"], DEBIAN_RELEASE]
    stamp = {
        "packages": hashlib.sha256(json.dumps(contents).encode()).hexdigest(),
        "wheel": hashlib.sha256(wheel.read_bytes()).hexdigest(),
    }
    old = json.loads(stamp_file.read_text()) if stamp_file.exists() else {}
    install = [f"{folder}/bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]

    def run(command: Sequence[str]) -> None:
        environment = {**os.environ, "HOME": "/tmp" if interpreter.root else os.environ["HOME"]}
        _run(make_command(cache, interpreter.root, "", command), environment)

    wheel_path = f"{MOUNT_POINT}/wheel/{wheel.name}"
    if old.get("packages") != stamp["packages"]:
        stamp_file.unlink(missing_ok=True)
        stamp_file.parent.mkdir(parents=True, exist_ok=True)
        constraints_file = cache / "envs" / f"{name}.txt"
        constraints_file.write_text(constraints)
        run([interpreter.path, "-m", "venv", "--clear", folder])
        with_constraints = ["-c", f"{MOUNT_POINT}/envs/{name}.txt"]
        run([*install, *with_constraints, wheel_path, *TEST_PACKAGES])
    elif old.get("wheel") != stamp["wheel"]:
        stamp_file.unlink()
        run([*install, "--no-deps", "--force-reinstall", wheel_path])
    stamp_file.write_text(json.dumps(stamp))
    return Environment(interpreter, folder)


def _run(command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> str:
    process = subprocess.run(command, capture_output=True, text=True, env=environment)
    if process.returncode != 0:
        lines = (process.stderr or process.stdout).strip().splitlines()
        program = " ".join(map(str, command[-6:]))
        raise UnavailableError("\n".join([f"failed: ... {program}", *lines[-5:]]))
    return process.stdout
