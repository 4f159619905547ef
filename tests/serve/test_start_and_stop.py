"""How the server starts, refuses to start, and ends."""

from __future__ import annotations

import signal
import socket
import sys
import tomllib
from pathlib import Path

import psutil
import pytest

from microcoder_eval.serve.options import REQUIREMENTS
from tests.commands import command, execute, run
from tests.files import ROOT, SAMPLES
from tests.processes import wait_until
from tests.serve.conftest import SECONDS, SLEEPER, Server, program, serving

# Long enough to be told to stop while it runs, on a machine where every core is busy.
ENDLESS = "import time; time.sleep(60)"

pytestmark = pytest.mark.slow


def is_refused(port: int) -> bool:
    """Whether nothing listens there any longer."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=SECONDS).close()
    except ConnectionRefusedError:
        return True
    except ConnectionResetError:  # it listened when we called, and closed before it answered
        return False
    return False


def test_it_listens_on_loopback_only_and_says_where(server: Server) -> None:
    assert server.url == f"http://127.0.0.1:{server.port}"
    assert "sandbox level" in server.line
    listening = psutil.Process(server.process.pid).net_connections()
    assert {c.laddr.ip for c in listening if c.status == psutil.CONN_LISTEN} == {"127.0.0.1"}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_answers_what_it_has_accepted(number: signal.Signals) -> None:
    server = Server("--workers", 1, "--at-once", 1, "--wait", 100)
    answer = server.posted("/run_code", program(SLEEPER))
    assert wait_until(lambda: server.is_busy(running=1, waiting=0))
    waits = server.posted("/run_code", program("print('waited')"))
    assert wait_until(lambda: server.is_busy(running=1, waiting=1))
    workers = psutil.Process(server.process.pid).children(recursive=True)
    server.process.send_signal(number)
    assert wait_until(lambda: is_refused(server.port))
    assert answer.result().json["run_result"]["stdout"] == "slept\n"
    assert waits.result().json["run_result"]["stdout"] == "waited\n"
    assert server.end(None) == (0, "")
    _, alive = psutil.wait_procs(workers, timeout=SECONDS)
    assert alive == []


@pytest.mark.parametrize(
    ("options", "signals"),
    [((), [signal.SIGINT, signal.SIGINT]), (("--grace", 1), [signal.SIGTERM])],
)
def test_a_second_interrupt_and_the_end_of_the_grace_drop_what_is_left(
    options: tuple[object, ...], signals: list[signal.Signals]
) -> None:
    server = Server("--workers", 1, *options)
    endless = server.posted("/run_code", program(ENDLESS, run_timeout=60))
    assert wait_until(lambda: server.is_busy(running=1, waiting=0))
    for number in signals[:-1]:
        server.process.send_signal(number)
        assert wait_until(lambda: is_refused(server.port))
    code, errors = server.end(signals[-1])
    assert code == 3
    assert "requests not answered: 1" in errors
    assert "Traceback" not in errors
    assert endless.exception() is not None or endless.result().status == 503


def test_an_idle_connection_does_not_hold_up_a_stop() -> None:
    server = Server("--workers", 1)
    with socket.create_connection(("127.0.0.1", server.port)) as idle:
        idle.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        assert idle.recv(12) == b"HTTP/1.1 200"
        assert server.end() == (0, "")


@pytest.mark.parametrize(
    ("host", "message"),
    [
        ("127.0.0.1", "cannot listen on 127.0.0.1:PORT: address already in use"),
        ("192.0.2.1", "cannot listen on 192.0.2.1:PORT"),
        ("no.such.host.invalid", "no such address"),
    ],
    ids=["taken", "of another machine", "unknown"],
)
def test_an_address_that_it_cannot_listen_on_is_told(
    server: Server, host: str, message: str
) -> None:
    result = execute(command("serve", "--host", host, "--port", server.port))
    assert result.returncode == 2
    assert message.replace("PORT", str(server.port)) in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--port", "70000"], "0 to 65535"),
        (["--port", "x"], "0 to 65535"),
        (["--queue", "0"], "from 1"),
        (["--wait", "nan"], "above 0"),
        (["--dataset", "x"], "NAME=FILE"),
        (["--dataset", "x=/no/such/file"], "/no/such/file"),
        (["--dataset", "x=a", "--dataset", "x=b"], "given twice"),
        (["--dataset", f"x={ROOT / 'datasets/samples/solutions.jsonl'}"], "holds solutions"),
        (["--token-file", "/no/such/file"], "/no/such/file"),
        (["--compare", "no-such-comparer"], "no-such-comparer"),
        (["--min-level", "1"], "--allow-unsafe"),
        (["extra"], "extra"),
    ],
)
def test_wrong_words_are_told(words: list[str], message: str) -> None:
    result = run("serve", *words)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("token", ["short", "é" * 20])
def test_a_token_that_is_none_is_told_and_not_shown(
    token: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "token"
    file.write_text(f"{token}\n")
    in_a_file = run("serve", "--token-file", file)
    monkeypatch.setenv("MICROCODER_TOKEN", token)
    for done in (in_a_file, run("serve")):
        assert done.returncode == 2
        assert "16 or more ASCII characters" in done.stderr
        assert token not in done.stderr


def test_a_token_may_stand_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("a-token-of-our-own\n")
    with serving("--workers", 1, "--token-file", file) as server:
        assert server.get("/metrics").status == 401
        assert server.get("/metrics", Authorization="Bearer a-token-of-our-own").status == 200


def test_it_warns_of_an_open_door_and_of_lines_of_a_dataset_that_cannot_be_used(
    tmp_path: Path,
) -> None:
    file = tmp_path / "tests.jsonl"
    good = (SAMPLES / "tests.jsonl").read_text().splitlines()[0]
    file.write_text(f"{good}\nnonsense\n")
    server = Server("--workers", 1, "--host", "0.0.0.0", "--dataset", f"mine={file}")
    assert len(server.post("/get_prompts", {"dataset": "mine"}).json[0]["id"]) > 0
    code, errors = server.end()
    assert code == 0
    assert "everybody who can reach 0.0.0.0 can run programs here" in errors
    assert f"{file}:2" in errors


def test_without_the_extra_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['fastapi'] = None\n"
    code += "from microcoder_eval.cli import main; sys.exit(main(['serve']))"
    result = execute([sys.executable, "-c", code])
    assert result.returncode == 2
    assert f'pip install "{REQUIREMENTS[0]}"' in result.stderr
    assert "Traceback" not in result.stderr


def test_what_is_to_be_installed_is_what_the_extra_installs() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert extras["optional-dependencies"]["serve"] == list(REQUIREMENTS)
