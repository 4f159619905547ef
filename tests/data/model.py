"""A model on this machine that answers as a test says."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Callable

from tests.data.lines import Row


class Model(http.server.BaseHTTPRequestHandler):
    """Answers as ``reply`` says: (status, body), or None to hang up."""

    reply: Callable[[int, Row], tuple[int, bytes] | None]
    headers_sent: dict[str, str]
    asked: list[Row]
    together: int
    most_together: int
    lock: threading.Lock

    @classmethod
    def always(cls, reply: tuple[int, bytes] | None) -> None:
        """Give this one reply from here on."""
        cls.reply = staticmethod(lambda number, body: reply)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body |= {"path": self.path, "key": self.headers["Authorization"]}
        with self.lock:
            type(self).together += 1
            type(self).most_together = max(self.most_together, self.together)
            self.asked.append(body)
            number = len(self.asked)
        reply = type(self).reply(number, body)
        with self.lock:
            type(self).together -= 1
        if reply is None:
            self.close_connection = True
            return
        status, raw = reply
        self.send_response(status)
        for name, value in type(self).headers_sent.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: object) -> None:
        """Silent."""


def say(text: str) -> tuple[int, bytes]:
    """A response with the model's words."""
    return 200, json.dumps({"choices": [{"message": {"content": text}}]}).encode()
